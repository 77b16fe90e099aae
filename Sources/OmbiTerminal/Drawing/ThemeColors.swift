import OmbiDocument

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
