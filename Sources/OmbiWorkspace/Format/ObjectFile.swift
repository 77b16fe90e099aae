import OmbiDocument

/// Reads a file that holds one object other than a collection: settings, a theme.
package enum ObjectFile {
    /// Returns the value, and every problem with it. There is no value when the file is no JSON, or no object.
    package static func read<Value>(
        _ bytes: [UInt8], file: String, as value: (ObjectReader) -> Value
    ) -> (value: Value?, problems: [Problem]) {
        do throws(JSONSyntaxError) {
            let document = try JSONDocument(checking: Bytes(bytes))
            let log = ProblemLog(file: file, document: document)
            for key in document.duplicateKeys { log.error(at: key.error.offset, key.error.reason) }
            let found = document.firstRoot.flatMap {
                ObjectReader(FileValue(node: $0, kind: document.kind(of: $0), log: log))
            }.map(value)
            return (found, log.problems)
        } catch {
            return (nil, [Problem(file: file, position: error.position, message: error.reason)])
        }
    }
}
