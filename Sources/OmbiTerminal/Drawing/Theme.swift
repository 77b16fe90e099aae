/// The look of each role, for each colour depth and background. Nothing is shown by colour alone where a sign or a word
/// shows it too.
package struct Theme: Equatable, Sendable {
    let depth: ColorDepth
    /// Nil until the terminal has reported it.
    private(set) var background: Background?
    private let choice: ThemeChoice
    /// The depth and the background of the terminal, whatever the choice makes of them.
    private let terminalDepth: ColorDepth
    private let reported: Background?
    private var colors: ThemeColors
    /// True when every cell has a background of the theme's, since the terminal does not report its own.
    private var paintsBackground = false

    /// - Parameters:
    ///   - depth: that of the terminal; the choice may ask for less.
    ///   - background: that of the terminal's window, if known; the choice may name another.
    package init(_ choice: ThemeChoice = .auto, depth: ColorDepth, background: Background? = nil) {
        self.choice = choice
        terminalDepth = depth
        reported = background
        self.depth = choice.depth(on: depth)
        self.background = choice.background ?? background
        colors = .on(self.background, highContrast: choice.base == .highContrast)
    }

    /// True while the colours depend on what the terminal reports of its background.
    var adapts: Bool { (depth == .many || depth == .sixteen) && choice.background == nil }

    /// Chooses colours for that background. Returns true when looks have changed.
    mutating func adapt(to background: Background) -> Bool {
        guard adapts, self.background != background || paintsBackground else { return false }
        self = Theme(choice, depth: terminalDepth, background: background)
        return true
    }

    /// Takes the colours of another choice on the same terminal.
    mutating func choose(_ choice: ThemeChoice) {
        self = Theme(choice, depth: terminalDepth, background: reported)
        _ = adaptToUnknownBackground()
    }

    /// Chooses colours for a terminal that does not report its background: where none suit black and white alike, those
    /// for black, which is then painted. Returns true when looks have changed.
    mutating func adaptToUnknownBackground() -> Bool {
        guard adapts, depth == .many, background == nil, choice.base == .highContrast else { return false }
        self = Theme(choice, depth: terminalDepth, background: .dark)
        paintsBackground = true
        return true
    }

    func look(of style: Style) -> Look {
        var look = lookOverBackground(of: style)
        guard paintsBackground else { return look }
        look.foreground = look.foreground ?? Self.white
        look.background = look.background ?? Self.black
        return look
    }

    private static let black: UInt8 = 16
    private static let white: UInt8 = 231

    private func lookOverBackground(of style: Style) -> Look {
        var look = look(of: style.role)
        look.traits.formUnion(style.traits)
        guard look.traits.contains(.highlight) else { return look }
        look.traits.remove(.highlight)
        if depth == .many, let highlight = choice.highlight ?? colors.highlight {
            look.background = look.background ?? highlight
        } else {
            look.traits.formSymmetricDifference(.reverse)
            // In reverse each coloured word would be a block of its own: the row looks alike.
            if look.background == nil { look.foreground = nil }
            // Dim on the bright row would hardly be legible.
            look.traits.remove(.dim)
        }
        return look
    }

    private func look(of role: Role) -> Look {
        switch depth {
        case .none: plainLook(of: role)
        case .eight, .sixteen: Look(foreground: basicColor(of: role), traits: traits(of: role))
        // No colour has a high contrast on both black and white.
        case .many where choice.base == .highContrast && background == nil: plainLook(of: role)
        case .many: choice.look(of: role, over: richLook(of: role))
        }
    }

    private func plainLook(of role: Role) -> Look { Look(traits: traits(of: role)) }

    private func traits(of role: Role) -> Traits {
        let traits = Self.traits(of: role)
        return choice.base == .highContrast ? traits.subtracting(.dim) : traits
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

    private func basicColor(of role: Role) -> UInt8? {
        let hue: ThemeColors.Hue? =
            switch role {
            case .match: .yellow
            case .alarm: .red
            default: Self.hue(of: role)
            }
        return hue?.basic(of: depth, on: background)
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
