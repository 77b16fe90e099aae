extension SavedRequest {
    /// Returns the request for a collection of another folder: its relative paths name the same files from there.
    /// - Parameters:
    ///   - folder: the folder that the paths are relative to.
    ///   - collection: the path of the collection file, which need not exist.
    public func relocated(from folder: String, to collection: String) -> SavedRequest {
        let home = collection.lastIndex(of: "/").map { String(collection[..<$0]) } ?? ""
        let way = TemplateText.escaped(RelativePath.way(from: home, to: folder))
        guard !way.isEmpty else { return self }
        func moved(_ path: String) -> String {
            // A variable in front may have a whole path.
            if path.isEmpty || ["/", "~/", "{{"].contains(where: { path.hasPrefix($0) }) { return path }
            return way + (path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
        }
        func setting(_ path: String?) -> String? { SavedConnection.isOn(path) ? path.map(moved) : path }
        var request = self
        request.body = body?.mappingPaths(moved)
        if var connection = connection {
            connection.caFile = setting(connection.caFile)
            connection.unixSocket = setting(connection.unixSocket)
            if var certificate = connection.clientCertificate, !certificate.isOff {
                certificate.file = moved(certificate.file)
                certificate.key = certificate.key.map(moved)
                connection.clientCertificate = certificate
            }
            request.connection = connection
        }
        return request
    }
}

extension SavedBody {
    /// Returns the body with the paths of its files changed.
    fileprivate func mappingPaths(_ change: (_ path: String) -> String) -> SavedBody {
        switch self {
        case .file(var content):
            content.path = change(content.path)
            return .file(content)
        case .multipart(var content):
            for index in content.parts.indices {
                guard case .file(let path) = content.parts[index].content else { continue }
                content.parts[index].content = .file(change(path))
            }
            return .multipart(content)
        case .json, .text, .form, .graphql: return self
        }
    }
}
