import OmbiCore

/// Secrets that a request does not use: a server may repeat them all the same.
extension Session {
    /// A shorter secret would be found in texts that have nothing to do with it.
    private static let minimumLength = 6

    /// Returns the secrets of the environment that can be had without running a program or asking: variables, files, and
    /// those that a run has obtained before. An address is left out, as its host and path would be masked wherever
    /// they show; so are names of `.env` files that say nothing of a secret.
    func unusedSecrets(of order: RunOrder, besides used: [String]) -> [String] {
        guard let secrets = order.chosenEnvironment?.secrets, !secrets.isEmpty else { return [] }
        var reader = reader(for: order)
        let (file, read) = (reader.file, Lock<[String: Result<[UInt8], FileError>]>([:]))
        reader.file = { path throws(FileError) in
            if let known = read.withLock({ $0[path] }) { return try known.get() }
            let result = Result { () throws(FileError) in try file(path) }
            read.withLock { $0[path] = result }
            return try result.get()
        }
        return secrets.compactMap { secret -> String? in
            if used.contains(secret.name) { return nil }
            if case .envFile(_, let name) = secret.source, !RequestHeaders.Key(name).isSensitive { return nil }
            guard let value = try? reader.value(of: secret), value.utf8.count >= Self.minimumLength else { return nil }
            return value.contains("://") ? nil : value
        }
    }
}
