import OmbiTerminal
import OmbiWorkspace

/// The state of a program on the screen, which `Application` holds and drives.
protocol ProgramState {
    var keymap: Keymap { get }
    /// The scopes for key lookup, nearest first.
    var scopes: [KeyScope] { get }
    /// The keys so far of a chord that waits for its next one.
    var begunKeys: [Key] { get }
    /// The action of a text that was pasted in one piece; nil for none.
    func action(forPaste text: String) -> Action?
    mutating func update(_ action: Action, at time: Duration) -> [Effect]
    mutating func receive(_ event: Event, at time: Duration) -> [Effect]
    /// The edits that are not saved, with the text that is being typed.
    var unsaved: [UnsavedFile] { get }
    /// False where `unsaved` is empty, at once.
    var isEdited: Bool { get }
    /// The state that the next start takes up again; nil for none.
    var memory: WorkspaceMemory? { get }
    /// The runs in flight, which go on when the terminal goes away.
    func away(at time: Duration) -> AwayRuns
    func draw() -> (surface: Surface, cursor: Point?)
}

extension ProgramState {
    func action(forPaste text: String) -> Action? {
        scopes.first?.takesText ?? false ? .text(.insert(text)) : nil
    }

    var unsaved: [UnsavedFile] { [] }
    var isEdited: Bool { false }
    var memory: WorkspaceMemory? { nil }
    func away(at time: Duration) -> AwayRuns { AwayRuns([]) }
}

extension AppState: ProgramState {}
