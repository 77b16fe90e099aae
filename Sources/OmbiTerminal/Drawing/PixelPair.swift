import OmbiDocument

/// Two pixels, one above the other, in one cell: colours of the palette of 256.
package struct PixelPair: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// - Parameter lower: nil below the end of the picture, where the terminal's own background shows.
    package init(upper: RGB, lower: RGB?) {
        let below = lower.map(PaletteColor.nearest(to:)) ?? 0
        rawValue = UInt16(PaletteColor.nearest(to: upper)) << 8 | UInt16(below)
    }

    package var upper: UInt8 { UInt8(rawValue >> 8) }
    /// Colour 0 is not one of the fixed ones, and so is free to mean that there is no pixel.
    package var lower: UInt8? { rawValue & 0xFF == 0 ? nil : UInt8(rawValue & 0xFF) }
}
