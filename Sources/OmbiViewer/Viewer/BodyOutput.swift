/// Output of a body: to a file, to another program, to the clipboard.
package enum BodyOutput: Equatable, Sendable {
    /// - Parameter overwriting: false to leave an existing file alone.
    case save(path: String, BodyDocument, BodyForm, overwriting: Bool)
    /// Writes a copy for a program, and opens it there.
    case open(BodyProgram, BodyDocument)
    case stopSaving
    /// Makes the text to copy; when it is too large for the clipboard, it goes to a file.
    case copy(ViewerPage, ViewerPage.Part)
    case copyText(String, named: String? = nil)

    /// The maximum bytes of a text for the clipboard of a terminal. As base64 they are fewer than the 100,000 letters that terminals
    /// take; of more some drop all without a word.
    package static let maximumCopied = 74_000
}

/// A program of the user in which a body can be opened.
package enum BodyProgram: Equatable, Sendable {
    case pager, editor
}
