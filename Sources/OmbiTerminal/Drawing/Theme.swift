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
        case .title, .focusedBorder, .failure, .footerKey, .strong: .bold
        case .selection, .alarm: .reverse
        case .inactiveSelection, .match, .placeholder: .underline
        case .dim, .gaugeEmpty, .punctuation: .dim
        case .warning: .bold
        default: []
        }
    }

    /// One of the first eight colours: 1 red, 2 green, 3 yellow, 4 blue, 5 magenta, 6 cyan.
    private static func basicColor(of role: Role) -> UInt8? {
        switch role {
        case .failure, .red, .alarm, .removed: 1
        case .success, .green, .brightGreen, .string, .added: 2
        case .warning, .running, .yellow, .match, .number: 3
        case .key, .blue, .brightBlue: 4
        case .literal, .magenta, .placeholder: 5
        case .info, .focusedBorder, .title, .cyan, .footerKey, .gauge: 6
        default: nil
        }
    }

    private static func richLook(of role: Role) -> Look {
        switch role {
        case .plain, .border, .strong: Look()
        case .title: Look(foreground: 67, traits: .bold)
        case .dim, .punctuation, .gaugeEmpty: Look(foreground: 244)
        case .focusedBorder: Look(foreground: 67)
        case .selection: Look(traits: .reverse)
        case .inactiveSelection: Look(traits: .underline)
        case .match: Look(foreground: 16, background: 179)
        case .alarm: Look(foreground: 231, background: 160, traits: .bold)
        case .placeholder: Look(foreground: 133)
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
        case .red: 167
        case .green: 65
        case .yellow: 136
        case .blue: 67
        case .magenta: 133
        case .cyan: 66
        case .brightGreen: 71
        case .brightBlue: 68
        case .success, .added: 71
        case .removed: 167
        case .running: 136
        case .info: 67
        case .gauge: 67
        default: nil
        }
    }
}
