/// The way from one page of a list to the next, and how the pages are joined to one document.
package struct SavedPages: Sendable, Equatable {
    /// The source of the next page.
    package enum Next: Sendable, Hashable {
        /// The target of the `Link` header with that relation (RFC 8288).
        case link(String)
        /// The URL that a JSONPath selects in the body.
        case url(path: String)
        /// The value that a JSONPath selects in the body, for a parameter of the query.
        case token(path: String, parameter: String)
        /// A parameter of the query that counts pages or items. The first page is requested as it is written: `start` is its
        /// value where the query has none.
        case count(parameter: String, start: Int, step: Int)
    }

    package var next: Next
    /// The JSONPath of the array whose elements are joined; nil joins arrays, and other bodies one after another.
    package var items: String?
    /// The JSONPath of the number of all items.
    package var total: String?
    /// The number of pages that a run requests; nil for `standardMaximum`.
    package var maximum: Int?
    package var unknown = UnknownMembers()

    package static let standardMaximum = 10
    package static let maxima = 1...10_000

    package init(_ next: Next, items: String? = nil, total: String? = nil, maximum: Int? = nil) {
        self.next = next
        self.items = items
        self.total = total
        self.maximum = maximum
    }
}

extension SavedPages: SavedObject {
    static let members = Members<SavedPages>(nextMembers, otherMembers)

    private static let otherMembers: [Member<SavedPages>] = [
        path(
            "items",
            "The JSONPath of the array whose elements are joined. Counting ends at a page on which it is empty.",
            { $0.items = $1 }, { $0.items }),
        path(
            "total",
            "The JSONPath of the number of all items; without items, of the number at which the parameter ends.",
            { $0.total = $1 }, { $0.total }),
        .integer(
            "maximum", "The number of pages that a run requests.", in: maxima, default: standardMaximum,
            { $0.maximum = $1 }, { $0.maximum }),
    ]

    private static let nextMembers: [Member<SavedPages>] = [
        .alternative(
            "link",
            Schema.text(
                "The relation of the Link header whose target is the next page, such as next (RFC 8288).",
                pattern: "^[^ ]+$"), write: { if case .link(let relation) = $0.next { .string(relation) } else { nil } }
        ),
        .alternative(
            "path",
            Schema.name(
                "A JSONPath (RFC 9535) that selects the URL of the next page in the body; with parameter, a token for it. "
                    + "Nothing, null, false or an empty text ends the list.")
        ) {
            switch $0.next {
            case .url(let path), .token(let path, _): .string(path)
            case .link, .count: nil
            }
        },
        .alternative(
            "parameter",
            Schema.name(
                "A parameter of the query: for the token at path or, without one, for a number that counts.")
        ) {
            switch $0.next {
            case .token(_, let parameter), .count(let parameter, _, _): .string(parameter)
            case .link, .url: nil
            }
        },
        .apart(
            "start",
            Schema.integer(
                "The number of the first page where its query has none; 1 by default.", in: counts, default: 1),
            write: { if case .count(_, let start, _) = $0.next, start != 1 { .number(start) } else { nil } }),
        .apart(
            "step",
            Schema.integer(
                "The number by which the parameter grows: 1 for pages, the items of a page for an offset.",
                in: 1...counts.upperBound, default: 1),
            write: { if case .count(_, _, let step) = $0.next, step != 1 { .number(step) } else { nil } }),
    ]

    private static func path(
        _ key: String, _ description: String, _ set: @escaping @Sendable (inout SavedPages, String?) -> Void,
        _ get: @escaping @Sendable (SavedPages) -> String?
    ) -> Member<SavedPages> {
        Member(key, Schema.name(description)) { pages, object, key in
            set(&pages, path(key, in: object))
        } write: {
            get($0).map(JSONValue.string)
        }
    }

    static var schema: JSONValue {
        members.schema(
            "How the next page of a list is found, and how the pages are joined to one document.",
            rules: [
                "oneOf": [
                    ["required": ["link"], "properties": ["path": false, "parameter": false]],
                    ["required": ["path"], "properties": ["link": false]],
                    [
                        "required": ["parameter"], "properties": ["link": false, "path": false],
                        "anyOf": [["required": ["items"]], ["required": ["total"]]],
                    ],
                ]
            ])
    }

    init(reading object: ObjectReader) {
        self.init(Self.next(in: object))
        unknown = object.read(Self.members, into: &self)
        if case .count = next, items == nil, total == nil {
            object.log.error(
                at: object.offset,
                "pages that are counted need an end: \"items\", the JSONPath of an array that is empty after the last page, "
                    + "or \"total\", that of the number of all items")
        }
    }

    private static func next(in object: ObjectReader) -> Next {
        let (hasPath, hasParameter) = (object.has("path"), object.has("parameter"))
        if object.has("link"), !hasPath, !hasParameter { return .link(relation(in: object)) }
        if !object.has("link"), hasPath {
            let path = path("path", in: object) ?? ""
            return hasParameter ? .token(path: path, parameter: object.name("parameter")) : .url(path: path)
        }
        if !object.has("link"), hasParameter {
            return .count(
                parameter: object.name("parameter"), start: object.integer("start", in: counts) ?? 1,
                step: object.integer("step", in: 1...counts.upperBound) ?? 1)
        }
        object.log.error(
            at: object.offset,
            "\"pages\" say how the next one is found, with \"link\", \"path\" or \"parameter\"; write for example "
                + "{ \"link\": \"next\" }")
        return .link(standardRelation)
    }

    private static func relation(in object: ObjectReader) -> String {
        let relation = object.name("link")
        if relation.contains(where: { $0 == " " }) { object.error("link", Self.relationForm) }
        return relation
    }

    private static func path(_ key: String, in object: ObjectReader) -> String? {
        guard object.has(key), let path = object.string(key) else { return nil }
        do throws(FieldError) { try FieldText.checkPath(path) } catch { object.error(key, error.message) }
        return path
    }

    static let standardRelation = "next"
    private static let counts = 0...1_000_000_000
    private static let relationForm = "a relation is one word, such as next"
}

extension SavedPages.Next {
    /// A line of text: `link next`, `$.next`, `$.cursor in after`, `parameter page`, `parameter offset from 0 by 20`.
    package var text: String {
        switch self {
        case .link(let relation): return "link \(relation)"
        case .url(let path): return path
        case .token(let path, let parameter): return "\(path) in \(parameter)"
        case .count(let parameter, let start, let step):
            return "parameter \(parameter)" + (start == 1 ? "" : " from \(start)") + (step == 1 ? "" : " by \(step)")
        }
    }

    /// Reads a source from that form.
    package init(_ text: String) throws(FieldError) {
        let words = text.split(separator: " ").map(String.init)
        switch words.first {
        case "link" where words.count <= 2: self = .link(words.count == 2 ? words[1] : SavedPages.standardRelation)
        case "parameter" where words.count >= 2: self = try Self.count(words)
        case _ where text.hasPrefix("$"): self = try Self.path(text, words)
        default: throw Self.form
        }
    }

    private static let form = FieldError(
        "write link next, $.next for a URL, $.cursor in after, or parameter page, parameter offset from 0 by 20")

    private static func count(_ words: [String]) throws(FieldError) -> Self {
        var (start, step) = (1, 1)
        var rest = words.dropFirst(2)
        while rest.count >= 2, let word = rest.popFirst(), let text = rest.popFirst() {
            guard let number = Int(text), number >= 0 else { throw form }
            switch word {
            case "from": start = number
            case "by" where number > 0: step = number
            default: throw form
            }
        }
        guard rest.isEmpty else { throw form }
        return .count(parameter: words[1], start: start, step: step)
    }

    private static func path(_ text: String, _ words: [String]) throws(FieldError) -> Self {
        if (try? JSONPath(text)) != nil { return .url(path: text) }
        guard words.count >= 3, words[words.count - 2] == "in" else {
            try FieldText.checkPath(text)
            return .url(path: text)
        }
        let path = words.dropLast(2).joined(separator: " ")
        try FieldText.checkPath(path)
        return .token(path: path, parameter: words[words.count - 1])
    }
}

extension SavedPages {
    /// The settings of the pages of a request as lines of text. Without a next page there are none.
    package static let fields: [FieldDescriptor<SavedPages?>] = [
        FieldDescriptor("next page", example: "link next, $.next in after") {
            $0?.next.text ?? ""
        } write: { pages, text throws(FieldError) in
            guard !text.isEmpty else {
                pages = nil
                return
            }
            let next = try Next(text)
            if pages == nil { pages = SavedPages(next) } else { pages?.next = next }
            if case .count = next, pages?.items == nil, pages?.total == nil { pages?.items = "$" }
        },
        path("page items", \.items, example: "$.items"), path("page total", \.total, example: "$.total"),
        FieldDescriptor("maximum pages", example: "10") {
            $0?.maximum.map(String.init) ?? ""
        } write: { pages, text throws(FieldError) in
            guard !text.isEmpty else {
                pages?.maximum = nil
                return
            }
            guard let maximum = Int(text), maxima.contains(maximum) else {
                throw FieldError("expected a whole number from 1 to 10000, for example 10")
            }
            try require(pages)
            pages?.maximum = maximum
        },
    ]

    private static func path(
        _ label: String, _ member: WritableKeyPath<SavedPages, String?> & Sendable, example: String
    ) -> FieldDescriptor<SavedPages?> {
        FieldDescriptor(label, example: example) {
            $0?[keyPath: member] ?? ""
        } write: { pages, text throws(FieldError) in
            var changed = pages
            changed?[keyPath: member] = text.isEmpty ? nil : text
            if case .count? = changed?.next, changed?.items == nil, changed?.total == nil {
                throw FieldError("pages that are counted need page items or page total: the end of the list")
            }
            if !text.isEmpty {
                try require(pages)
                try FieldText.checkPath(text)
            }
            pages = changed
        }
    }

    private static func require(_ pages: SavedPages?) throws(FieldError) {
        if pages == nil { throw FieldError("set \"next page\" before, for example to link next") }
    }

    /// `link next, at most 10`
    package var summary: String { "\(next.text), at most \(maximum ?? Self.standardMaximum)" }
}
