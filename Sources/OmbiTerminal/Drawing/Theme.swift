import OmbiDocument

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

/// The background of the terminal's window.
package enum Background: Equatable, Sendable, CaseIterable {
    case dark, light

    /// A background of that colour, each part from 0 to 1.
    init(red: Double, green: Double, blue: Double) {
        // By the weights of ITU-R BT.709, without the gamma: close enough to tell two kinds apart.
        self = 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5 ? .dark : .light
    }

    /// Reads `COLORFGBG` ("15;0"), which some terminals set: the last number is the background's in the palette of 16.
    package init?(colorFGBG text: String) {
        guard let number = text.split(separator: ";").last.flatMap({ UInt8($0) }), number < 16 else { return nil }
        self = number < 7 || number == 8 ? .dark : .light
    }
}

/// The numbers of a theme's colours in the palette of 256. Each has a contrast of at least 4.5:1 on its background and
/// on the highlight, with high contrast 7:1; lines have 3:1 (WCAG 2.2, 1.4.11), and are the same everywhere, so that they
/// need not be drawn again once the background is known.
struct ThemeColors: Equatable, Sendable {
    /// A colour by its use; the basic number is the one for terminals with 8 or 16 colours.
    enum Hue: Int, CaseIterable, Sendable {
        case red, green, yellow, blue, magenta, cyan, brightGreen, brightBlue, orange, grey, accent, line

        /// One of the first colours; nil for the terminal's own. Those chosen have 4.5:1 in the palettes of xterm and of VGA on
        /// black or on white, as far as the depth has them: on black no blue does, and of red and magenta only the bright
        /// one; on white no green, yellow or cyan.
        func basic(of depth: ColorDepth, on background: Background?) -> UInt8? {
            let isLight = background == .light
            let isBright = depth == .sixteen && background == .dark
            return switch self {
            case .red: isBright ? 9 : 1
            case .green, .brightGreen: isLight ? nil : 2
            case .yellow, .orange: isLight ? 5 : isBright ? 11 : 3
            case .blue, .brightBlue: isLight ? 4 : isBright ? 14 : depth == .sixteen ? 12 : 6
            case .magenta: isBright ? 13 : 5
            case .cyan, .accent: isLight ? 4 : 6
            case .grey, .line: nil
            }
        }
    }

    private var numbers: [UInt8]
    /// The background of the row under the cursor; nil to reverse the row.
    var highlight: UInt8?
    var match: Look
    var alarm: Look

    subscript(hue: Hue) -> UInt8 { numbers[hue.rawValue] }

    static func on(_ background: Background?, highContrast: Bool) -> ThemeColors {
        switch background {
        case .dark where highContrast: darkHighContrast
        case .light where highContrast: lightHighContrast
        case .dark: dark
        case .light: light
        case nil: neutral
        }
    }

    private static let dark = ThemeColors(
        numbers: [210, 114, 179, 110, 176, 80, 150, 75, 215, 247, 117, 243], highlight: 236,
        match: Look(foreground: 16, background: 179), alarm: Look(foreground: 231, background: 124, traits: .bold))

    private static let light = ThemeColors(
        numbers: [124, 22, 58, 25, 90, 23, 22, 26, 94, 241, 25, 243], highlight: 254,
        match: Look(foreground: 16, background: 222), alarm: Look(foreground: 231, background: 124, traits: .bold))

    private static let darkHighContrast = ThemeColors(
        numbers: [217, 120, 228, 117, 219, 87, 156, 153, 222, 252, 123, 250], highlight: nil,
        match: Look(foreground: 16, background: 228), alarm: Look(foreground: 231, background: 88, traits: .bold))

    private static let lightHighContrast = ThemeColors(
        numbers: [88, 22, 52, 19, 54, 17, 22, 20, 52, 236, 18, 238], highlight: nil,
        match: Look(foreground: 16, background: 228), alarm: Look(foreground: 231, background: 88, traits: .bold))

    /// Until the terminal has reported its background: middle tones, for black and white alike.
    private static let neutral = ThemeColors(
        numbers: [131, 29, 130, 63, 163, 29, 29, 63, 130, 243, 63, 243], highlight: nil,
        match: Look(foreground: 16, background: 179), alarm: Look(foreground: 231, background: 124, traits: .bold))
}

/// The contrast of two colours (WCAG 2.2, relative luminance and contrast ratio).
package enum Contrast {
    /// The least for text, and for the lines around it.
    package static let text = 4.5
    package static let line = 3.0

    /// The darkest and the lightest background that a theme is for.
    package static func grounds(_ background: Background?) -> [RGB?] {
        let dark = [RGB(0, 0, 0), RGB(30, 30, 30)]
        let light = [RGB(255, 255, 255), RGB(253, 246, 227)]
        return switch background {
        case .dark: dark
        case .light: light
        case nil: dark + light
        }
    }

    /// Black or white, whichever can be read better on that colour of the palette.
    static func text(on number: UInt8) -> UInt8 {
        guard let color = PaletteColor.rgb(number) else { return 16 }
        return ratio(color, RGB(0, 0, 0)) >= ratio(color, RGB(255, 255, 255)) ? 16 : 231
    }

    package static func ratio(_ one: RGB, _ other: RGB) -> Double {
        let (first, second) = (luminance(one), luminance(other))
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    private static func luminance(_ color: RGB) -> Double {
        0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }

    private static func linear(_ value: UInt8) -> Double {
        let part = Double(value) / 255
        guard part > 0.03928 else { return part / 12.92 }
        // To the power of 2.4, as x² times the fifth root of x², by Newton's method: the C library is not for this folder.
        let base = (part + 0.055) / 1.055
        var root = base
        for _ in 0..<60 { root -= (root * root * root * root * root - base * base) / (5 * root * root * root * root) }
        return base * base * root
    }
}
