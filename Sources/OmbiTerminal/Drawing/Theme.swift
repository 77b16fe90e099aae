/// The look of each role, for each colour depth. The 256-colour palette is used in its middle tones, which are readable
/// on dark and light backgrounds; nothing is shown by colour alone where a sign or a word shows it too.
struct Theme: Equatable, Sendable {
    var depth: ColorDepth

    func look(of style: Style) -> Look {
        var look = look(of: style.role)
        look.traits.formUnion(style.traits)
        return look
    }

    private func look(of role: Role) -> Look {
        switch depth {
        case .none: Look(traits: Self.traits(of: role))
        case .eight: Look(foreground: Self.basicColor(of: role), traits: Self.traits(of: role))
        case .sixteen: Look(foreground: Self.basicColor(of: role), traits: Self.traits(of: role))
        case .many: Self.richLook(of: role)
        }
    }

    /// The traits that set a role apart without any colour.
    private static func traits(of role: Role) -> Traits {
        switch role {
        case .title, .focusedBorder, .failure, .footerKey, .phaseWait: .bold
        case .selection, .production: .reverse
        case .inactiveSelection, .match, .variable: .underline
        case .dim, .gaugeEmpty, .inherited, .secret, .punctuation: .dim
        case .warning: .bold
        default: []
        }
    }

    /// One of the first eight colours: 1 red, 2 green, 3 yellow, 4 blue, 5 magenta, 6 cyan.
    private static func basicColor(of role: Role) -> UInt8? {
        switch role {
        case .failure, .methodDelete, .production, .removed: 1
        case .success, .methodGet, .string, .phaseConnect, .added: 2
        case .warning, .running, .methodPut, .match, .number, .phaseTLS: 3
        case .key, .methodPost, .phaseReceive: 4
        case .literal, .methodPatch, .variable, .phaseSend: 5
        case .info, .focusedBorder, .title, .methodOther, .footerKey, .phaseResolve, .gauge: 6
        default: nil
        }
    }

    private static func richLook(of role: Role) -> Look {
        switch role {
        case .plain, .border, .phaseWait: Look()
        case .title: Look(foreground: 67, traits: .bold)
        case .dim, .punctuation, .inherited, .secret, .gaugeEmpty: Look(foreground: 244)
        case .focusedBorder: Look(foreground: 67)
        case .selection: Look(traits: .reverse)
        case .inactiveSelection: Look(traits: .underline)
        case .match: Look(foreground: 16, background: 179)
        case .production: Look(foreground: 231, background: 160, traits: .bold)
        case .variable: Look(foreground: 133)
        case .failure: Look(foreground: 167, traits: .bold)
        case .warning: Look(foreground: 172)
        case .footerKey: Look(foreground: 67, traits: .bold)
        default: Look(foreground: richColor(of: role))
        }
    }

    private static func richColor(of role: Role) -> UInt8? {
        switch role {
        case .key: 67
        case .string: 65
        case .number: 172
        case .literal: 133
        case .methodGet: 65
        case .methodPost: 67
        case .methodPut: 136
        case .methodPatch: 133
        case .methodDelete: 167
        case .methodOther: 66
        case .success, .added: 71
        case .removed: 167
        case .running: 136
        case .info: 67
        case .phaseResolve: 66
        case .phaseConnect: 71
        case .phaseTLS: 136
        case .phaseSend: 133
        case .phaseReceive: 68
        case .gauge: 67
        default: nil
        }
    }
}
