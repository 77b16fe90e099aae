import OmbiDocument

/// The note on bytes that are not text: their type, and the actions that work on them.
enum BinaryNote {
    /// - Parameter picture: nil until decoding was tried.
    static func text(_ image: ImageKind, _ picture: Result<Picture, PictureError>?) -> String {
        switch picture {
        case .success(let picture):
            named(image, picture.size) + (picture.damage.map { "; damaged: \($0)" } ?? "")
        case nil, .failure(.unknownFormat): named(image, size(image)) + ", as hexadecimal"
        case .failure(let error): named(image, size(image)) + "; \(error)"
        }
    }

    private static func size(_ image: ImageKind) -> PixelSize? {
        image.width.flatMap { width in image.height.map { PixelSize(width: width, height: $0) } }
    }

    private static func named(_ image: ImageKind, _ size: PixelSize?) -> String {
        image.name + (size.map { ", \($0.width)×\($0.height) pixels" } ?? "")
    }

    /// - Parameter name: nil for an unknown type.
    static func text(_ name: String?) -> String {
        let command = name.flatMap { commands[$0] }
        let advice = command.map { "! \($0) shows what is in it" } ?? "! pipes it through a command"
        return (name.map { $0 + ", " } ?? "") + "binary; S saves it, " + advice
    }

    /// Commonly installed commands that read an archive or a document from standard input.
    private static let commands = [
        "gzip data": "gzip -dc", "Zstandard data": "zstd -dc", "XZ data": "xz -dc", "bzip2 data": "bzip2 -dc",
        "tar archive": "tar -tv", "PDF document": "pdftotext - -",
    ]
}
