/// A reason not to show a picture.
public enum PictureError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The library that reads this format is not installed; `advice` says how to install it.
    case missingLibrary(advice: String)
    /// This build has no decoders: it was made without the package trait `Pictures`.
    case leftOut
    /// Decoding would take too much memory.
    case tooLarge(limit: String)
    /// The message of the library.
    case damaged(String)
    /// Formats other than PNG and JPEG.
    case unknownFormat
    case cancelled

    /// Follows `PNG image, 640x480 pixels; `.
    public var description: String {
        switch self {
        case .missingLibrary(let advice): "\(advice) to see it"
        case .leftOut: "shown as hexadecimal: this build draws no pictures"
        case .tooLarge(let limit): "more than \(limit) are not drawn"
        case .damaged(let reason): "cannot be drawn: \(reason)"
        case .unknownFormat: "is not drawn"
        case .cancelled: "nobody waits for it"
        }
    }
}
