import OmbiDocument

/// The fixed part of the palette of 256 colours: a cube of 6x6x6 from 16 on, and 24 greys from 232 on. The first 16 are
/// up to the user's settings.
package enum PaletteColor {
    private static let levels = [0, 95, 135, 175, 215, 255]

    /// The names of the first 16 colours.
    package static let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "brightBlack", "brightRed",
        "brightGreen", "brightYellow", "brightBlue", "brightMagenta", "brightCyan", "brightWhite",
    ]

    /// The colour of a number; nil below 16.
    package static func rgb(_ number: UInt8) -> RGB? {
        guard number >= 16 else { return nil }
        guard number < 232 else {
            let grey = 8 + 10 * (number - 232)
            return RGB(grey, grey, grey)
        }
        let index = Int(number) - 16
        return RGB(UInt8(levels[index / 36]), UInt8(levels[index / 6 % 6]), UInt8(levels[index % 6]))
    }

    /// The palette colour nearest to a colour.
    package static func nearest(to color: RGB) -> UInt8 {
        let cube = [color.red, color.green, color.blue].map(nearestLevel)
        let inCube = RGB(UInt8(levels[cube[0]]), UInt8(levels[cube[1]]), UInt8(levels[cube[2]]))
        let step = min(23, max(0, (color.luminance - 3) / 10))
        let grey = UInt8(8 + 10 * step)
        let isGrey = distance(color, RGB(grey, grey, grey)) < distance(color, inCube)
        return UInt8(isGrey ? 232 + step : 16 + 36 * cube[0] + 6 * cube[1] + cube[2])
    }

    private static func nearestLevel(_ value: UInt8) -> Int {
        value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40
    }

    /// Squared, with the weights by which the eye distinguishes colours: green most, and red more where there is much
    /// of it.
    private static func distance(_ one: RGB, _ other: RGB) -> Int {
        let red = Int(one.red) - Int(other.red)
        let green = Int(one.green) - Int(other.green)
        let blue = Int(one.blue) - Int(other.blue)
        let mean = (Int(one.red) + Int(other.red)) / 2
        return ((512 + mean) * red * red) / 256 + 4 * green * green + ((767 - mean) * blue * blue) / 256
    }
}
