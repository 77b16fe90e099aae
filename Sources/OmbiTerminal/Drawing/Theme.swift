/// The look of each role, for each colour depth and background. Colour is never the only sign of a meaning that a
/// symbol or a word can show too.
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
    ///   - depth: The depth of the terminal; the choice may ask for less.
    ///   - background: The background of the terminal's window, if known; the choice may name another.
    package init(_ choice: ThemeChoice = .auto, depth: ColorDepth, background: Background? = nil) {
        self.choice = choice
        terminalDepth = depth
        reported = background
        self.depth = choice.depth(on: depth)
        self.background = choice.background ?? background
        colors = .on(self.background, highContrast: choice.base == .highContrast)
    }

    /// True while the colours depend on the background that the terminal reports.
    var adapts: Bool { (depth == .many || depth == .sixteen) && choice.background == nil }

    /// Chooses colours for a background. Returns true if a look changes.
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

    /// Chooses colours for a terminal that does not report its background: if none suit both black and white, those for
    /// black, which is then painted. Returns true if a look changes.
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

/// A theme as settings name it: one that is built in, and a user's colours over it.
package struct ThemeChoice: Equatable, Sendable {
    package enum Base: String, CaseIterable, Sendable {
        /// Dark or light, by the background that the terminal reports.
        case auto
        case dark, light
        /// At least 7:1, on a dark or a light background.
        case highContrast = "high-contrast"
        /// The terminal's own first colours.
        case basic = "16-colours"
        case none
    }

    package var base: Base
    /// A user's colours for roles; nil for the terminal's default.
    private var colors: [(role: Role, color: UInt8?)] = []
    /// A user's background of the row under the cursor.
    package var highlight: UInt8?

    package static let auto = ThemeChoice(.auto)

    package init(_ base: Base) { self.base = base }

    /// Gives a role a colour of the palette of 256; nil for the terminal's own.
    package mutating func set(_ role: Role, to color: UInt8?) {
        colors.removeAll { $0.role == role }
        colors.append((role, color))
        colors.sort { $0.role.rawValue < $1.role.rawValue }
    }

    package static func == (left: ThemeChoice, right: ThemeChoice) -> Bool {
        left.base == right.base && left.highlight == right.highlight
            && left.colors.elementsEqual(right.colors) { $0.role == $1.role && $0.color == $1.color }
    }

    /// The background that the theme is for; nil to follow the terminal.
    var background: Background? {
        switch base {
        case .dark: .dark
        case .light: .light
        case .auto, .highContrast, .basic, .none: nil
        }
    }

    func depth(on depth: ColorDepth) -> ColorDepth {
        switch base {
        case .none: .none
        case .basic: depth == .many ? .sixteen : depth
        case .auto, .dark, .light, .highContrast: depth
        }
    }

    /// The look of a role with the user's colour, applied to the background if the base has one.
    func look(of role: Role, over base: Look) -> Look {
        guard let chosen = colors.first(where: { $0.role == role }) else { return base }
        var look = base
        guard base.background != nil else {
            look.foreground = chosen.color
            return look
        }
        look.background = chosen.color
        look.foreground = chosen.color.map(Contrast.text(on:))
        return look
    }

    /// The lowest contrast of a role on the backgrounds that a dark or a light theme is for, and on the highlight; nil
    /// if a colour is the terminal's default.
    package func contrast(of role: Role) -> Double? {
        let theme = Theme(self, depth: .many)
        return [Traits(), .highlight].compactMap { traits in
            let look = theme.look(of: Style(role, traits))
            guard let foreground = look.foreground.flatMap(PaletteColor.rgb) else { return nil }
            let grounds = look.background.map { [PaletteColor.rgb($0)] } ?? Contrast.grounds(background)
            return grounds.compactMap { $0.map { Contrast.ratio(foreground, $0) } }.min()
        }.min()
    }
}
