/// The look of each role, for each colour depth and background. Nothing is shown by colour alone where a sign or a word
/// shows it too.
struct Theme: Equatable, Sendable {
    var depth: ColorDepth
    /// Nil until the terminal has reported it.
    var background: Background? {
        didSet { colors = .on(background) }
    }
    private var colors: ThemeColors

    init(depth: ColorDepth, background: Background? = nil) {
        self.depth = depth
        self.background = background
        colors = .on(background)
    }

    func look(of style: Style) -> Look {
        var look = look(of: style.role)
        look.traits.formUnion(style.traits)
        guard look.traits.contains(.highlight) else { return look }
        look.traits.remove(.highlight)
        if depth == .many, let highlight = colors.highlight {
            look.background = look.background ?? highlight
        } else {
            look.traits.formSymmetricDifference(.reverse)
        }
        return look
    }

    private func look(of role: Role) -> Look {
        switch depth {
        case .none: Look(traits: Self.traits(of: role))
        case .eight, .sixteen: Look(foreground: Self.basicColor(of: role), traits: Self.traits(of: role))
        case .many: richLook(of: role)
        }
    }

    /// The traits that set a role apart without any colour.
    private static func traits(of role: Role) -> Traits {
        switch role {
        case .title, .focusedBorder, .failure, .footerKey, .strong, .warning: .bold
        case .alarm: .reverse
        case .match, .placeholder: .underline
        case .dim, .gaugeEmpty, .punctuation, .border: .dim
        default: []
        }
    }

    private static func basicColor(of role: Role) -> UInt8? {
        switch role {
        case .match: 3
        case .alarm: 1
        default: hue(of: role)?.basic
        }
    }

    private func richLook(of role: Role) -> Look {
        switch role {
        case .match: colors.match
        case .alarm: colors.alarm
        case .title, .focusedBorder, .failure, .footerKey:
            Look(foreground: Self.hue(of: role).map { colors[$0] }, traits: .bold)
        default: Look(foreground: Self.hue(of: role).map { colors[$0] })
        }
    }

    private static func hue(of role: Role) -> ThemeColors.Hue? {
        switch role {
        case .plain, .strong, .match, .alarm: nil
        case .red, .failure, .removed: .red
        case .green, .string: .green
        case .yellow, .running: .yellow
        case .blue, .key: .blue
        case .magenta, .literal, .placeholder: .magenta
        case .cyan: .cyan
        case .brightGreen, .success, .added: .brightGreen
        case .brightBlue: .brightBlue
        case .number, .warning: .orange
        case .dim, .punctuation, .gaugeEmpty: .grey
        case .border: .line
        case .title, .focusedBorder, .footerKey, .info, .gauge: .accent
        }
    }
}
