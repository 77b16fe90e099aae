extension Imported {
    /// The content with requests that are based on the operations of the document that they were made of.
    /// - Parameters:
    ///   - document: the path of the document.
    ///   - collection: the path of the file that is written.
    public func based(on specification: Specification, at document: String, for collection: String) -> Imported {
        let home = collection.lastIndex(of: "/").map { String(collection[..<$0]) } ?? ""
        let folder = document.lastIndex(of: "/").map { String(document[..<$0]) } ?? ""
        let way = RelativePath.way(from: home, to: folder)
        let name = document.split(separator: "/").last.map(String.init) ?? document
        let path = (way.isEmpty ? "./" : way) + name
        let sources = sources
        var result = self
        result.collection.items.changeRequests { request in
            guard let source = sources[request.id], let operation = specification.operation(named: source) else {
                return
            }
            // The document judges the responses.
            request.expect?.schema = nil
            request.operation = SavedOperation(operation.name, of: path, operation.base)
        }
        return result
    }
}
