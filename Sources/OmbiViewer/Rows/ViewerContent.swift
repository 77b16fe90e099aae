import OmbiDocument

/// The content of a viewer, as one kind of rows. To add a kind of content, add a case and the rows.
enum ViewerContent: Sendable {
    case json(JSONRows)
    case text(TextRows)
    case markup(MarkupRows)
    case table(TableRows)
    case events(EventRows)
    case form(FormRows)
    case picture(ImageRows)
    case hex(HexRows)

    var rows: any ViewerRows {
        get {
            switch self {
            case .json(let rows): rows
            case .text(let rows): rows
            case .markup(let rows): rows
            case .table(let rows): rows
            case .events(let rows): rows
            case .form(let rows): rows
            case .picture(let rows): rows
            case .hex(let rows): rows
            }
        }
        set {
            switch newValue {
            case let rows as JSONRows: self = .json(rows)
            case let rows as MarkupRows: self = .markup(rows)
            default: break
            }
        }
    }

    /// Returns true when positions mean the same in both.
    func isSameKind(as other: ViewerContent) -> Bool {
        switch (self, other) {
        case (.json, .json), (.text, .text), (.markup, .markup), (.table, .table), (.events, .events), (.form, .form),
            (.picture, .picture), (.hex, .hex):
            true
        default: false
        }
    }

    /// - Parameter before: the content before more of the body arrived; its folds are kept.
    init(
        _ document: BodyDocument, _ mode: ViewerMode, columns: Int, wraps: Bool, before: ViewerContent? = nil
    ) {
        switch (mode, document.shape) {
        case (.hex, _), (_, .hex), (_, .empty), (.text, .picture): self = .hex(HexRows(bytes: document.raw))
        case (.text, _), (.formatted, .text): self = .text(TextRows(document, columns: wraps ? columns : nil))
        case (.formatted, .json(let tree)):
            if case .json(let rows)? = before {
                self = .json(rows.grown(to: tree, bytes: document.text, columns: columns))
            } else {
                self = .json(JSONRows(tree, bytes: document.text, columns: columns))
            }
        case (.formatted, .markup(let index)):
            if case .markup(let rows)? = before {
                self = .markup(rows.grown(to: index, bytes: document.text))
            } else {
                self = .markup(MarkupRows(bytes: document.text, index: index))
            }
        case (.formatted, .table(let index, let shape)):
            self = .table(TableRows(bytes: document.text, index: index, shape: shape))
        case (.formatted, .events(let index)):
            self = .events(
                EventRows(
                    bytes: document.text, index: index, arrivals: document.arrivals,
                    textStart: document.raw.count - document.text.count))
        case (.formatted, .form(let fields)): self = .form(FormRows(bytes: document.text, fields: fields))
        case (.formatted, .picture(let picture)): self = .picture(ImageRows(bytes: document.raw, picture: picture))
        }
    }

    /// Fits a picture to the page. Rows of text depend on the columns only, and are made for them.
    mutating func fit(columns: Int, rows: Int) {
        guard case .picture(var picture) = self else { return }
        picture.fit(columns: columns, rows: rows)
        self = .picture(picture)
    }
}

/// The view of a body: formatted, as its text, or as its bytes.
enum ViewerMode: String, Sendable, CaseIterable {
    case formatted, text
    case hex = "hexadecimal"

    /// The word in the footer for the key that switches to the mode.
    var hint: String { self == .hex ? "hex" : rawValue }
}
