import OmbiTerminal
import OmbiWorkspace

/// The completion of the text under edit: its candidates, and the list while it is open.
struct FieldCompletion: Equatable, Sendable {
    private(set) var list: CompletionList?
    private var source = CompletionSource()
    /// The folder read last, and the one that is being read.
    private var listing: FolderListing?
    private var asked: String?

    /// An action while the list is open, or that opens it.
    enum Handling: Equatable {
        /// The action means what it means without a list.
        case ignored
        case handled
        case insert(String, at: Range<Int>)
    }

    mutating func begin(_ source: CompletionSource) { self = FieldCompletion(source: source) }

    mutating func close() { list = nil }

    init(source: CompletionSource = CompletionSource()) { self.source = source }

    // MARK: Actions

    mutating func handle(_ action: Action, _ text: EditedText) -> Handling {
        guard let list else { return opens(action, text) ? .handled : .ignored }
        switch action {
        case .move(let movement): self.list?.move(movement)
        case .nextField: return insert(list)
        case .accept: return list.insertsOnEnter ? insert(list) : .ignored
        case .text(.move(.right)):
            return text.cursor == text.buffer.count ? insert(list) : .ignored
        case .leave: self.list = nil
        default: return .ignored
        }
        return .handled
    }

    private func insert(_ list: CompletionList) -> Handling {
        list.marked.map { .insert($0.name + list.suffix, at: list.range) } ?? .ignored
    }

    /// Down opens the list of everything where the cursor has nowhere to go.
    private mutating func opens(_ action: Action, _ text: EditedText) -> Bool {
        guard action == .text(.move(.down)), text.cursor == text.buffer.count else { return false }
        list = source.list(for: text.buffer, cursor: text.cursor, isAsked: true, listing)
        return list != nil
    }

    // MARK: Following the text

    /// Opens, narrows or closes the list after an edit.
    /// - Parameter folder: that of the collection.
    mutating func follow(_ edit: TextEdit, _ text: EditedText, in folder: String) -> [Outcome] {
        switch edit {
        case .insert(let typed) where typed.utf8.count <= Self.maximumTyped: break
        case .deleteBackward, .deleteForward, .deleteWordBackward: break
        default:
            list = nil
            return []
        }
        return renew(text, in: folder)
    }

    /// Closes the list behind a chosen text, unless more of it follows: a name in a folder, the source of a secret.
    mutating func follow(inserted new: String, _ text: EditedText, in folder: String) -> [Outcome] {
        list = nil
        return new.last == "/" || new.last == " " ? renew(text, in: folder) : []
    }

    private mutating func renew(_ text: EditedText, in folder: String) -> [Outcome] {
        list = source.list(for: text.buffer, cursor: text.cursor, isAsked: false, listing)
        guard let wanted = source.folder(for: text.buffer.text(0..<text.cursor)), wanted != listing?.folder,
            wanted != asked
        else { return [] }
        asked = wanted
        return [.effect(.listFolder(wanted, in: folder))]
    }

    /// Longer texts were not typed.
    private static let maximumTyped = 40

    /// Takes in a folder that was read.
    mutating func receive(_ listing: FolderListing, _ text: EditedText) {
        guard listing.folder == asked else { return }
        self.listing = listing
        asked = nil
        list = source.list(for: text.buffer, cursor: text.cursor, isAsked: false, listing)
    }

    // MARK: The screen

    /// Draws the open list at the cursor of its text.
    func draw(_ text: EditedText, on surface: inout Surface, at cursor: Point, in area: Rect) {
        guard let list, let place = place(text, at: cursor, in: area) else { return }
        list.draw(on: &surface, place)
    }

    /// Marks the row of the open list at a point; false where there is none.
    mutating func mark(at point: Point, _ text: EditedText, cursor: Point, in area: Rect) -> Bool {
        place(text, at: cursor, in: area).flatMap { list?.mark(at: point, $0) } ?? false
    }

    private func place(_ text: EditedText, at cursor: Point, in area: Rect) -> CompletionList.Place? {
        guard let list, list.range.lowerBound <= text.cursor, text.cursor <= text.buffer.count else { return nil }
        let before = TextWidth.of(text.buffer.text(list.range.lowerBound..<text.cursor))
        return list.place(at: cursor, before: before, in: area)
    }
}

extension TextField {
    mutating func insert(_ text: String, at range: Range<Int>) { change { $0.replace(range, with: text) } }
}
