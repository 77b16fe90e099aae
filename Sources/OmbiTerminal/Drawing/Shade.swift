/// Characters from dark to bright, for terminals without the colours for a picture.
package enum Shade {
    private static let ramp: [Unicode.Scalar] = Array(" .:-=+*#%@".unicodeScalars)

    /// - Parameter luminance: from 0, black, to 255, white.
    package static func scalar(for luminance: Int) -> Unicode.Scalar {
        ramp[min(ramp.count - 1, max(0, luminance) * ramp.count / 256)]
    }
}
