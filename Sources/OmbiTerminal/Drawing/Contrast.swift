import OmbiDocument

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
