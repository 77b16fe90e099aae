/// Recognises a body and indexes it in portions while it arrives. It belongs to one thread; the documents that it returns
/// may go to others.
final class BodyIndexer {
    private let contentType: String?
    private var format: BodyFormat?
    /// The length of the sample from which the format was recognised.
    private var seen = 0
    private var lines = LineIndex()
    private var json: JSONIndex?
    private var tree: JSONTree?
    private var table: TableIndex?
    private var tableShape: TableShape?
    private var events: EventIndex?
    private var form = FormIndex()
    private var markup: MarkupIndex?
    private var picture: Result<Picture, PictureError>?
    /// The limit that the index exceeded; the body is text from then on.
    private var limit: IndexLimit?
    private let limits: IndexLimits
    /// The text in UTF-8 where the body is in another encoding.
    private var decoded: DecodedText?
    private var readCount = 0
    private let isCancelled: () -> Bool

    /// Further bytes do not change the recognised kind.
    private static let sample = 4096

    init(
        contentType: String?, limits: IndexLimits = IndexLimits(), isCancelled: @escaping () -> Bool = { false }
    ) {
        self.contentType = contentType
        self.limits = limits
        self.isCancelled = isCancelled
    }

    /// Indexes up to `budget` more bytes.
    /// - Parameter bytes: all bytes so far, always at the same address.
    /// - Returns: the body as far as it is indexed.
    func read(_ bytes: Bytes, isComplete: Bool, budget: Int) -> BodyDocument {
        recognise(bytes)
        let end = !isImage && budget < bytes.count - readCount ? readCount + budget : bytes.count
        readCount = end
        let isLast = isComplete && end == bytes.count
        guard let format, !bytes.isEmpty else {
            var empty = BodyDocument.empty
            empty.isComplete = isLast
            return empty
        }
        let text = text(bytes[0..<end], format, isLast: isLast)
        lines.extend(over: text, isComplete: isLast)
        var document = BodyDocument(
            kind: format.kind, raw: bytes[0..<end], text: text, lines: lines, shape: .hex, note: format.note,
            isComplete: isLast)
        document.shape = shape(text, format.kind, isLast: isLast)
        if case .image(let image) = format.kind, isLast, let picture = picture(bytes, image) {
            document.shape = .picture(picture)
        }
        document.note = note(format, document.shape) ?? document.tableNote
        return document
    }

    /// Returns the number of bytes that have arrived and are not read yet.
    func left(of bytes: Bytes) -> Int { bytes.count - readCount }

    private func recognise(_ bytes: Bytes) {
        guard format == nil || seen < Self.sample && bytes.count > seen else { return }
        let found = BodyFormat(bytes, contentType: contentType)
        seen = bytes.count
        guard found != format else { return }
        format = found
        (lines, json, table, tableShape, events, markup, decoded) = (LineIndex(), nil, nil, nil, nil, nil, nil)
        (tree, form, limit) = (nil, FormIndex(), nil)
    }

    private func text(_ bytes: Bytes, _ format: BodyFormat, isLast: Bool) -> Bytes {
        guard format.kind.isText, let charset = format.charset else { return .empty }
        let marked = bytes[charset.markLength..<bytes.count]
        guard charset.charset != .utf8 else { return marked }
        if decoded == nil { decoded = DecodedText(charset.charset) }
        return decoded?.extend(over: marked, isComplete: isLast, isCancelled: isCancelled) ?? marked
    }

    // MARK: Shapes

    private func shape(_ text: Bytes, _ kind: BodyKind, isLast: Bool) -> BodyDocument.Shape {
        if limit != nil { return .text(nil) }
        let shape: BodyDocument.Shape =
            switch kind {
            case .empty: .empty
            case .json: json(text, roots: .one, isLast: isLast)
            case .jsonLines: json(text, roots: .many, isLast: isLast)
            case .xml: markup(text, isHTML: false, isLast: isLast)
            case .html: markup(text, isHTML: true, isLast: isLast)
            case .yaml: .text(.yaml)
            case .markdown: .text(.markdown)
            case .table(let separator): table(text, separator, isLast: isLast)
            case .form: form(text)
            case .events: events(text, isLast: isLast)
            case .text: .text(nil)
            case .image, .binary: .hex
            }
        guard limit != nil else { return shape }
        (tree, json, markup, events) = (nil, nil, nil, nil)
        return .text(nil)
    }

    private func json(_ text: Bytes, roots: JSONRoots, isLast: Bool) -> BodyDocument.Shape {
        let index = json ?? JSONIndex(roots: roots, limits: limits)
        json = index
        var document = index.append(text)
        if isLast { document = index.finish() }
        limit = document.limit
        if limit != nil { return .text(nil) }
        var tree = self.tree ?? JSONTree(document, columns: 80)
        tree.update(document)
        // The lines are counted here, too, so that they can be numbered.
        while !tree.extend(limit: 1 << 20), !isCancelled() {}
        self.tree = tree
        return .json(tree)
    }

    private func markup(_ text: Bytes, isHTML: Bool, isLast: Bool) -> BodyDocument.Shape {
        var index = markup ?? MarkupIndex(isHTML: isHTML, limits: limits)
        markup = nil  // its only other owner, so that nothing is copied
        index.extend(over: text, isComplete: isLast, isCancelled: isCancelled)
        markup = index
        limit = index.limit
        return .markup(index)
    }

    private func table(_ text: Bytes, _ separator: UInt8, isLast: Bool) -> BodyDocument.Shape {
        var index = table ?? TableIndex(separator: separator)
        index.extend(over: text, isComplete: isLast)
        table = index
        if isLast || tableShape == nil && text.count > 1 << 16 { tableShape = TableShape(index, in: text) }
        return tableShape.map { .table(index, $0) } ?? .text(nil)
    }

    private func form(_ text: Bytes) -> BodyDocument.Shape {
        form.extend(over: text)
        return .form(form.fields)
    }

    private func events(_ text: Bytes, isLast: Bool) -> BodyDocument.Shape {
        var index = events ?? EventIndex(limits: limits)
        events = nil  // its only other owner, so that nothing is copied
        index.extend(over: text, isComplete: isLast)
        events = index
        limit = index.limit
        return .events(index)
    }

    /// An image has nothing to index. Read in one step, it is not shown in hexadecimal first.
    private var isImage: Bool { if case .image? = format?.kind { true } else { false } }

    /// Decodes complete images only: most of a partial one may be missing.
    private func picture(_ bytes: Bytes, _ image: ImageKind) -> Picture? {
        let result =
            picture ?? Result { () throws(PictureError) in try Picture(bytes, image, isCancelled: isCancelled) }
        picture = result
        return try? result.get()
    }

    private func note(_ format: BodyFormat, _ shape: BodyDocument.Shape) -> String? {
        if let limit { return "shown as text: this is \(format.kind.name) \(limit)" }
        if let decoded, decoded.isCutOff { return "not enough memory to decode the rest of the text" }
        if case .json(let tree) = shape, let error = tree.document.error { return "not valid JSON: \(error)" }
        if case .markup(let index) = shape, let problem = index.problem { return "not valid XML: \(problem.reason)" }
        if let note = format.note { return note }
        if let charset = format.charset, charset.charset != .utf8 { return "decoded from \(charset.charset.name)" }
        switch format.kind {
        case .image(let image): return BinaryNote.text(image, picture)
        case .binary(let name): return BinaryNote.text(name)
        default: return nil
        }
    }
}

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
