/// The libraries that decode pictures.
package enum PictureSupport {
    /// The formats, each with the reason why it is not drawn; nil for one that is. Loads the libraries.
    package static var formats: [(name: String, problem: PictureError?)] {
        [("PNG", problem(with: PNGLibrary.shared)), ("JPEG", problem(with: JPEGLibrary.shared))]
    }

    private static func problem<Library>(with library: Result<Library, PictureError>) -> PictureError? {
        if case .failure(let error) = library { error } else { nil }
    }
}
