/// The part of an action's outcome that concerns the rest of the program.
enum Outcome: Equatable, Sendable {
    case effect(Effect)
    /// The message of the status line; nil removes it.
    case notice(Notice?)
    case passing(PassingNotice)
    case open(Overlay)
    /// Opens an overlay that nobody has called for, once nothing else has the keys.
    case ask(Overlay)
    case focus(Focus)
    /// An action for another part, after everything before it.
    case perform(Action)
}

extension [Outcome] {
    /// A message for the status line, and nothing else.
    static func notify(_ kind: Notice.Kind, _ text: String) -> [Outcome] { [.notice(Notice(kind, text))] }

    /// A message for the status line that is removed when its subject ends.
    static func notify(_ kind: Notice.Kind, _ text: String, during subject: PassingNotice.Subject) -> [Outcome] {
        [.passing(PassingNotice(notice: Notice(kind, text), subject: subject))]
    }

    /// A question, and nothing else.
    static func question(
        _ title: String, _ lines: [String], yes: QuestionOverlay.Answer, no: QuestionOverlay.Answer,
        isDecision: Bool = false
    ) -> [Outcome] {
        [.open(.question(QuestionOverlay(title: title, lines: lines, yes: yes, no: no, isDecision: isDecision)))]
    }

    /// Shows the notice and returns the effects: for a program without panes and overlays.
    func effects(notice: inout Notice?) -> [Effect] {
        var effects: [Effect] = []
        for outcome in self {
            switch outcome {
            case .effect(let effect): effects.append(effect)
            case .notice(let new): notice = new
            case .passing(let new): notice = new.notice
            case .open, .ask, .focus, .perform: break
            }
        }
        return effects
    }
}

extension RequestMethod {
    /// At most five letters, to fit beside a name in the tree.
    var shortName: String {
        switch self {
        case .delete: "DEL"
        case .options: "OPT"
        case .connect: "CONN"
        default: String(rawValue.prefix(5))
        }
    }

    var role: Role {
        switch self {
        case .get: .methodGet
        case .post: .methodPost
        case .put: .methodPut
        case .patch: .methodPatch
        case .delete: .methodDelete
        default: .methodOther
        }
    }
}

/// The meanings of texts about requests.
extension Role {
    static let methodGet = Role.green
    static let methodPost = Role.blue
    static let methodPut = Role.yellow
    static let methodPatch = Role.magenta
    static let methodDelete = Role.red
    static let methodOther = Role.cyan

    static let phaseResolve = Role.cyan
    static let phaseConnect = Role.brightGreen
    static let phaseTLS = Role.yellow
    static let phaseSend = Role.magenta
    static let phaseWait = Role.strong
    static let phaseReceive = Role.brightBlue

    /// A `{{variable}}` of a template.
    static let variable = Role.placeholder
    /// A `{{variable}}` that has no value.
    static let unknownVariable = Role.failure
    /// Inherited from the environment, not set in the request itself.
    static let inherited = Role.dim
    /// The mark of a protected environment.
    static let production = Role.alarm
}
