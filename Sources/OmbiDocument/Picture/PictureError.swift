/// Why a picture cannot be shown.
public enum PictureError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The system has not the library that reads this format; the advice is what to do about it.
    case missingLibrary(advice: String)
    /// Reading it would take too much memory.
    case tooLarge(limit: String)
    /// In the words of the library.
    case damaged(String)
    /// Formats other than PNG and JPEG.
    case unknownFormat
    case cancelled

    /// Goes on behind `PNG image, 640x480 pixels; `.
    public var description: String {
        switch self {
        case .missingLibrary(let advice): "\(advice) to see it"
        case .tooLarge(let limit): "more than \(limit) are not drawn"
        case .damaged(let reason): "cannot be drawn: \(reason)"
        case .unknownFormat: "is not drawn"
        case .cancelled: "nobody waits for it"
        }
    }
}
