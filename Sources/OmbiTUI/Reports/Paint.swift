/// The colours and the emphasis of texts on a terminal, the only sequences that the command line writes (`SafeText.terminal`).
enum Paint: Int, CaseIterable {
    case bold = 1
    case red = 31
    case green = 32
    case yellow = 33

    private static let end = "\u{1B}[m"
    private var start: String { "\u{1B}[\(rawValue)m" }

    /// Every sequence that such a text has.
    static let sequences = Paint.allCases.map(\.start) + [end]

    func text(_ text: String) -> String { start + text + Self.end }
}
