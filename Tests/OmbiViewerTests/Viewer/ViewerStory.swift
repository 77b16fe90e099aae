import OmbiDocument
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiViewer

/// A viewer by itself: keys go in, what it orders is done at once, and the screen comes out as text.
struct ViewerStory {
    var viewer: Viewer
    var notice: Notice?
    private(set) var effects: [Effect] = []
    /// Whether steps of a search are not done at once but kept.
    var isSlow = false
    /// The keys of `ombi view`, which has no palette: every action of a body has one.
    let keymap = Keymap.pager
    private(set) var size: Size

    init(_ text: String, type: String? = nil, columns: Int = 60, rows: Int = 10) {
        self.init(Array(text.utf8), type: type, columns: columns, rows: rows)
    }

    init(_ bytes: [UInt8], type: String? = nil, columns: Int = 60, rows: Int = 10) {
        size = Size(columns: columns, rows: rows)
        viewer = Viewer(id: 7, size: size)
        receive(.read(BodyDocument(Bytes(bytes), contentType: type)))
    }

    static func document(_ text: String) -> BodyDocument { BodyDocument(Bytes(text.utf8), contentType: nil) }

    mutating func receive(_ event: ViewerEvent) {
        perform(viewer.receive(event).outcomes(of: viewer.id).effects(notice: &notice))
        viewer.resize(to: size)
    }

    mutating func press(_ names: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        for name in names {
            let scopes = viewer.hasPrompt ? viewer.keyScopes : viewer.keyScopes + [.lists]
            guard let key = Key(name: name), let action = keymap.action(for: key, in: scopes) else {
                Issue.record("nothing is bound to \(name) in \(scopes)", sourceLocation: sourceLocation)
                continue
            }
            perform(action)
        }
    }

    mutating func perform(_ action: Action) {
        notice = nil
        perform((viewer.perform(action) ?? []).outcomes(of: viewer.id).effects(notice: &notice))
        viewer.resize(to: size)
    }

    mutating func resize(to size: Size) {
        self.size = size
        viewer.resize(to: size)
    }

    mutating func type(_ text: String) {
        for character in text { press(character == " " ? "Space" : String(character)) }
    }

    /// Filters, and keeps what that selected.
    mutating func filter(_ path: String) {
        press("|")
        type(path)
        press("Enter")
    }

    /// Runs a command, whose output is given.
    mutating func run(_ command: String, _ output: String, status: Int32 = 0, errorOutput: String = "") {
        press("!")
        type(command)
        press("Enter")
        let output = BodyDocument(Bytes(output.utf8), contentType: nil)
        let answer = CommandAnswer(command: command, output: output, errorOutput: errorOutput, ending: .exited(status))
        receive(.ran(answer, number: viewer.query?.number ?? 0))
    }

    /// Does at once what the effects would do for a viewer; keeps the rest.
    private mutating func perform(_ orders: [Effect]) {
        for effect in orders {
            var answers: [ViewerEvent] = []
            switch effect {
            case .view(_, .find(let query, let document, let offset)):
                ViewerJobs.find(query, document, from: offset, CancelFlag()) { answers.append($0) }
            case .view(_, .findNext(let step, let document)) where !isSlow:
                ViewerJobs.findNext(step, document, CancelFlag()) { answers.append($0) }
            case .view(_, .filter(let path, let document, let number)):
                ViewerJobs.filter(path, document, number, CancelFlag()) { answers.append($0) }
            case .view(_, .join(let path, let document, let number)):
                ViewerJobs.join(path, document, number, CancelFlag()) { answers.append($0) }
            case .view(_, .compare(let old, let new, let number)):
                BodyComparison(from: old, to: new).map { answers.append(.compared($0, number: number)) }
            case .view(_, .locate(let path, let document, let number)):
                ViewerJobs.locate(path, document, number, CancelFlag()) { answers.append($0) }
            case .output(_, .copy(let page, let part)):
                answers += [.copied(page.text(of: part), named: page.name(of: part)), .saving(nil)]
            default: effects.append(effect)
            }
            for answer in answers { receive(answer) }
        }
    }

    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    /// The texts that are copied, whatever they are called.
    mutating func takeCopies() -> [String] {
        takeEffects().compactMap { if case .copy(let text, _) = $0 { text } else { nil } }
    }

    var surface: Surface {
        var surface = Surface(size: size)
        _ = viewer.draw(on: &surface, in: Rect(size), focused: true)
        return surface
    }

    var lines: [String] { surface.text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    var text: String { lines.joined(separator: "\n") }

    /// Rows that show something, the foot included.
    var filled: Int { lines.count { !$0.isEmpty } }

    /// The row under the cursor.
    var current: String {
        let surface = surface
        let row = (0..<size.rows).first { surface[size.columns - 1, $0].style.traits.contains(.highlight) }
        return row.map { surface.text(row: $0) } ?? "no row"
    }

    /// All rows that look like the one under the cursor: it and those that are selected.
    var chosen: [String] {
        let surface = surface
        return (0..<size.rows).filter { surface[size.columns - 1, $0].style.traits.contains(.highlight) }
            .map { surface.text(row: $0) }
    }

    var foot: String { lines.last ?? "" }

    /// What the first cell of a text on the screen means.
    func role(of text: String) -> Role? {
        let surface = surface
        for row in 0..<size.rows {
            let line = Array(surface.text(row: row))
            guard let start = line.indices.first(where: { line[$0...].starts(with: text) }) else { continue }
            return surface[start, row].style.role
        }
        return nil
    }

    /// What is marked as found.
    var marks: [String] {
        let surface = surface
        return (0..<size.rows).flatMap { row in
            (0..<size.columns).map { column in
                let cell = surface[column, row]
                return cell.style.role == .match ? String(Character(cell.scalar)) : " "
            }.joined().split(separator: " ").map(String.init)
        }
    }
}

extension ViewerID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(value) }
}
