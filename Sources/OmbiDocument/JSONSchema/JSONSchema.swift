#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A JSON Schema (draft 2020-12), compiled for indexed documents. The keywords about content are annotations, as in the
/// draft by default, and so is `format` unless it is asserted. The tables of its regular expressions are filled while
/// they match: a schema belongs to one thread.
package struct JSONSchema {
    let nodes: [SchemaNode]
    let root: Int
    let dynamicAnchors: [Int: [String: Int]]
    let tracks: Bool

    /// - Parameters:
    ///   - location: The URI of the schema, the base of its references.
    ///   - assertsFormats: True to check texts against a known `format`.
    ///   - load: Returns another schema by its URI without a fragment; throws the reason if it cannot be read.
    package init(
        _ value: JSONValue, location: String = "ombi:schema", assertsFormats: Bool = false,
        load: @escaping (_ uri: String) throws(JSONSchemaError) -> JSONValue = { uri throws(JSONSchemaError) in
            throw JSONSchemaError("\(uri) is not read")
        }
    ) throws(JSONSchemaError) {
        var compiler = SchemaCompiler(assertsFormats: assertsFormats, load: load)
        root = try compiler.compile(value, from: location)
        (nodes, dynamicAnchors, tracks) = (compiler.nodes, compiler.dynamicAnchors, compiler.tracks)
    }

    /// The limit of schemas in schemas, with those that are referred to.
    static let maximumDepth = 256
    static let maximumFailures = 20

    /// The end of an evaluation that is not completed.
    package enum Interruption: Error, Equatable, Sendable {
        case tooDeep
        case interrupted(EvaluationTime.Interruption)
    }

    /// Returns what in a value does not meet the schema, the first failures in the order of the schema; empty for a valid one.
    package func failures(
        in document: JSONDocument, at node: JSONNode, within time: EvaluationTime = EvaluationTime()
    ) throws(Interruption) -> [JSONSchemaFailure] {
        var run = SchemaRun(self, document, time)
        _ = try run.evaluate(root, node)
        if let interruption = time.interruption { throw .interrupted(interruption) }
        return run.failures
    }
}

/// An error in a JSON Schema, or in a file that it refers to.
package struct JSONSchemaError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The place in the schema as a JSON Pointer (RFC 6901); empty for the whole of it.
    package var pointer: String
    package var reason: String

    package init(_ reason: String, at pointer: String = "") {
        self.reason = reason
        self.pointer = pointer
    }

    package var description: String { pointer.isEmpty ? reason : "\(pointer): \(reason)" }
}

/// A value of a document that does not meet a keyword of its schema.
package struct JSONSchemaFailure: Equatable, Sendable {
    /// The value, or the object that lacks one.
    package var node: JSONNode
    package var keyword: String
    /// To follow the word `expected`: `the type string`.
    package var expected: String
    /// The value found; nil if an excerpt of it suffices.
    package var found: String?

    init(_ node: JSONNode, _ keyword: String, _ expected: String, found: String? = nil) {
        (self.node, self.keyword, self.expected, self.found) = (node, keyword, expected, found)
    }
}

/// A compiled schema, with other schemas as indices: schemas may refer to each other in a circle.
struct SchemaNode {
    /// The pair of a reference that is resolved again while it is followed, and of the anchor that it names.
    struct DynamicReference {
        var target: Int
        /// Nil for a reference that behaves like any other.
        var anchor: String?
    }

    /// The value of a schema that is true or false; nil for an object.
    var constant: Bool?
    /// The index of the schema resource that contains the schema: the nearest one with an identifier.
    var resource = 0

    var reference: Int?
    var dynamicReference: DynamicReference?
    var (allOf, anyOf, oneOf): ([Int], [Int], [Int]) = ([], [], [])
    var (not, condition, then, otherwise): (Int?, Int?, Int?, Int?)

    var types: [String]?
    var values: [JSONValue]?
    var isConstant = false

    /// Comparisons and lengths by keyword, in the order of the schema.
    var bounds: [(keyword: String, value: JSONValue)] = []
    var pattern: (text: String, machine: TextPattern)?
    /// Nil for any text.
    var format: TextFormat?
    var hasUniqueItems = false

    var prefixItems: [Int] = []
    var items: Int?
    var contains: Int?
    var (minimumContains, maximumContains): (Int, Int?) = (1, nil)
    var unevaluatedItems: Int?

    var properties: [String: Int] = [:]
    var patternProperties: [(machine: TextPattern, schema: Int)] = []
    var additionalProperties: Int?
    var propertyNames: Int?
    var required: [String] = []
    var dependentRequired: [(key: String, required: [String])] = []
    var dependentSchemas: [(key: String, schema: Int)] = []
    var unevaluatedProperties: Int?

    /// The keywords whose value is a schema (JSON Schema 2020-12, core 10).
    static let single: [String: WritableKeyPath<SchemaNode, Int?> & Sendable] = [
        "not": \.not, "if": \.condition, "then": \.then, "else": \.otherwise, "items": \.items,
        "contains": \.contains, "additionalProperties": \.additionalProperties, "propertyNames": \.propertyNames,
        "unevaluatedItems": \.unevaluatedItems, "unevaluatedProperties": \.unevaluatedProperties,
    ]
    /// The keywords whose value is a list of schemas.
    static let lists: [String: WritableKeyPath<SchemaNode, [Int]> & Sendable] = [
        "allOf": \.allOf, "anyOf": \.anyOf, "oneOf": \.oneOf, "prefixItems": \.prefixItems,
    ]
}

/// The schema resources of a schema and of the files that it refers to: by their identifiers, with their anchors.
struct SchemaRegistry {
    /// A place in one of the texts.
    struct Place {
        var document: Int
        var pointer: String
        var value: JSONValue
        /// The identifier of the resource that it is in.
        var base: String
    }

    private(set) var documents: [JSONValue] = []
    private(set) var resources: [String: Place] = [:]
    private var anchors: [String: Place] = [:]
    private var dynamicAnchors: Set<String> = []
    /// The identifiers of subschemas, by text and pointer.
    private var identifiers: [String: String] = [:]

    /// Keywords whose value is an object with schemas as values.
    private static let objects: Set<String> = [
        "$defs", "definitions", "properties", "patternProperties", "dependentSchemas",
    ]

    /// Adds a text that was read from `location`.
    mutating func add(_ value: JSONValue, from location: String) -> Place {
        documents.append(value)
        let place = Place(document: documents.count - 1, pointer: "", value: value, base: location)
        resources[location] = place
        scan(place)
        return Place(document: place.document, pointer: "", value: value, base: base(of: place))
    }

    /// Notes the identifiers and the anchors of a schema and of all in it.
    private mutating func scan(_ place: Place) {
        guard case .object(let members) = place.value else { return }
        var place = place
        if let id = place.value["$id"]?.stringValue {
            place.base = SchemaURI.withoutFragment(SchemaURI.resolve(id, against: place.base))
            identifiers["\(place.document)#\(place.pointer)"] = place.base
            resources[place.base] = place
        }
        if let name = place.value["$anchor"]?.stringValue { anchors[place.base + "#" + name] = place }
        if let name = place.value["$dynamicAnchor"]?.stringValue {
            anchors[place.base + "#" + name] = place
            dynamicAnchors.insert(place.base + "#" + name)
        }
        for member in members {
            let child = place.child(member.key, member.value)
            if SchemaNode.single[member.key] != nil { scan(child) }
            if SchemaNode.lists[member.key] != nil, case .array(let elements) = member.value {
                for (index, element) in elements.enumerated() { scan(child.child("\(index)", element)) }
            }
            if Self.objects.contains(member.key), case .object(let schemas) = member.value {
                for schema in schemas { scan(child.child(schema.key, schema.value)) }
            }
        }
    }

    /// Returns the identifier of the resource at a place, or of the one around it.
    func base(of place: Place) -> String { identifiers["\(place.document)#\(place.pointer)"] ?? place.base }

    /// Returns the place of a reference whose resource is known; nil if it has none.
    func place(of uri: String) -> Place? {
        let base = SchemaURI.withoutFragment(uri)
        let fragment = SchemaURI.fragment(uri)
        guard var place = resources[base] else { return nil }
        if !fragment.isEmpty, !fragment.hasPrefix("/") { return anchors[base + "#" + fragment] }
        place.base = base
        for token in fragment.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let key = String(token).replacing("~1", with: "/").replacing("~0", with: "~")
            switch place.value {
            case .object:
                guard let value = place.value[key] else { return nil }
                place = place.child(key, value)
            case .array(let elements):
                guard let index = Int(key), elements.indices.contains(index) else { return nil }
                place = place.child(key, elements[index])
            default: return nil
            }
            place.base = self.base(of: place)
        }
        return place
    }

    func dynamicAnchor(_ name: String, in base: String) -> Place? {
        dynamicAnchors.contains(base + "#" + name) ? anchors[base + "#" + name] : nil
    }
}

extension SchemaRegistry.Place {
    func child(_ key: String, _ value: JSONValue) -> Self {
        let token = key.replacing("~", with: "~0").replacing("/", with: "~1")
        return Self(document: document, pointer: pointer + "/" + token, value: value, base: base)
    }
}

/// References between schemas (RFC 3986), as texts.
package enum SchemaURI {
    static func resolve(_ reference: String, against base: String) -> String {
        if reference.isEmpty { return base }
        if reference.hasPrefix("#") { return withoutFragment(base) + reference }
        if hasScheme(reference) { return reference }
        guard let whole = URL(string: base), let url = URL(string: reference, relativeTo: whole) else {
            return reference
        }
        return url.absoluteURL.absoluteString
    }

    static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), text.first?.isLetter ?? false else { return false }
        return text[..<colon].allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    }

    package static func withoutFragment(_ uri: String) -> String { String(uri.prefix { $0 != "#" }) }

    /// Returns what follows `#`, with its escapes decoded.
    static func fragment(_ uri: String) -> String {
        guard let start = uri.firstIndex(of: "#") else { return "" }
        return unescaped(uri[uri.index(after: start)...])
    }

    /// Returns a text with its percent-escapes decoded. Invalid escapes are kept.
    package static func unescaped(_ text: Substring) -> String {
        var text = text
        return text.withUTF8 { $0.unescaped(plus: UInt8(ascii: "+")) }
    }
}
