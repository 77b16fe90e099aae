/// The screen before there is a collection: the name of the program, and the keys that bring a first request.
struct StartPage {
    private static let keyColumns = 8
    private static let choices: [(action: Action, label: String)] = [
        (.tree(.askForCollection), "new collection"),
        (.tree(.askForPath), "open a file or a folder, also of Postman, OpenAPI, Bruno …"),
        (.files(.askToImport), "import a curl command or a URL without sending it"),
        (.app(.manual), "read the manual"), (.app(.help), "show all keys"),
    ]

    private let lines: [[Span]]

    /// - Parameter folder: the one without collections; empty where it is not known.
    init(_ keymap: Keymap, folder: String) {
        let keys = Self.choices.compactMap { choice -> [Span]? in
            let binding = keymap.bindings.first { $0.scope == .start && $0.action == choice.action }
            guard let key = binding?.sequences.first else { return nil }
            return [
                Span(text: Key.names(of: key).padded(to: Self.keyColumns), role: .footerKey),
                Span(text: choice.label, role: .plain),
            ]
        }
        lines =
            [
                [
                    Span(text: "Ombi \(Program.version)", role: .title),
                    Span(text: "  an API explorer for the terminal", role: .dim),
                ], [Span(text: "No collections in \(folder.isEmpty ? "this folder" : folder).", role: .dim)], [],
                [Span(text: "Type or paste a URL or a curl command; Enter sends it.", role: .plain)], [],
            ] + keys + [[], [Span(text: "ombi demo", role: .footerKey), Span(text: " shows an example.", role: .dim)]]
    }

    func draw(on surface: inout Surface, in screen: Rect) {
        let columns = lines.map { $0.reduce(0) { $0 + TextWidth.of($1.text) } }.max() ?? 0
        let rect = screen.centered(
            columns: min(columns, screen.columns - 2), rows: min(lines.count, screen.rows))
        for (index, line) in lines.enumerated() where index < rect.rows {
            var pen = Pen(rect.line(index))
            pen.write(line, on: &surface)
        }
    }
}
