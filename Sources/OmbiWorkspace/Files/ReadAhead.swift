import Dispatch
import OmbiDocument

/// Indexes a large file while it is read.
// Proof of Sendable: the index is used on the queue only, and after the last use there.
final class ReadAhead: @unchecked Sendable {
    private let index = JSONDocument.indexForChecking()
    private let queue = DispatchQueue(label: "ombi.index", qos: .userInitiated)

    /// - Parameter soFar: a part of the file from its start.
    func append(_ soFar: Bytes) { queue.async { _ = self.index.append(soFar) } }

    /// Returns the document of the whole file.
    func document(of content: Bytes) throws(JSONSyntaxError) -> JSONDocument {
        queue.sync {}
        return try JSONDocument(checking: content, with: index)
    }
}
