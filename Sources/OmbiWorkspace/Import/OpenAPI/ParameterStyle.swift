/// The way in which lists and objects are written as text (OpenAPI, "Style Values").
struct ParameterStyle: Equatable {
    /// `form`, `simple`, `label`, `matrix`, `spaceDelimited`, `pipeDelimited`, `deepObject`, `cookie`
    var name: String
    var isExploded: Bool
    /// The text between the values of a list that is not exploded.
    var separator: String

    typealias Row = (name: String, value: String)

    private static let maximumDepth = 20

    /// - Parameter explode: that of the document; nil for the default of the style.
    init(_ name: String, explode: Bool?) {
        (self.name, isExploded) = (name, explode ?? (name == "form" || name == "cookie"))
        separator = ["spaceDelimited": " ", "pipeDelimited": "|"][name] ?? ","
    }

    /// The style of a list of OpenAPI 2.0.
    init(collectionFormat: String) {
        (name, isExploded) = ("form", collectionFormat == "multi")
        separator = ["ssv": " ", "tsv": "\t", "pipes": "|"][collectionFormat] ?? ","
    }

    /// The style of a field of a form; nil for one without.
    init?(encoding: ForeignValue?) {
        guard let encoding, encoding["style"] != nil || encoding["explode"] != nil else { return nil }
        self.init(encoding["style"]?.string ?? "form", explode: encoding["explode"]?.bool)
    }

    // MARK: Queries, forms and cookies

    /// Returns the rows of a value, at least one.
    func rows(_ name: String, _ value: JSONValue) -> [Row] {
        switch value {
        case .array(let elements) where isExploded && !elements.isEmpty:
            return elements.map { (name: name, value: OpenAPIReader.text($0)) }
        case .object(let members) where self.name == "deepObject" && !members.isEmpty:
            return Self.deep(name, value, depth: 0)
        case .object(let members) where isExploded && !members.isEmpty:
            return members.map { (name: $0.key, value: OpenAPIReader.text($0.value)) }
        default: return [(name, Self.parts(value).joined(separator: separator))]
        }
    }

    /// Returns a value with commas in its parts, percent-encoded but for the commas between them; nil for any other.
    func delimited(_ value: JSONValue) -> String? {
        guard name == "form", !isExploded, separator == "," else { return nil }
        let parts = Self.parts(value)
        guard parts.count > 1, parts.contains(where: { $0.contains(",") }) else { return nil }
        return parts.map { PercentEncoding.escape($0) }.joined(separator: ",")
    }

    /// `filter[from][day]` for members of members.
    private static func deep(_ name: String, _ value: JSONValue, depth: Int) -> [Row] {
        switch value {
        case .object(let members) where !members.isEmpty && depth < maximumDepth:
            members.flatMap { deep("\(name)[\($0.key)]", $0.value, depth: depth + 1) }
        case .array(let elements) where !elements.isEmpty && depth < maximumDepth:
            elements.flatMap { deep("\(name)[]", $0, depth: depth + 1) }
        default: [(name, OpenAPIReader.text(value))]
        }
    }

    /// Returns the value of a cookie: in the style of forms, characters that would end it are percent-encoded.
    func cookie(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\";\\".utf8.contains($0) }
        return isPlain || name != "form" ? text : PercentEncoding.escape(text)
    }

    // MARK: Headers and paths

    /// Returns the text of a value that is a part of a path as it is; nil for one that the style adds something to.
    func plain(_ value: JSONValue) -> String? {
        guard name != "label", name != "matrix", value.members == nil else { return nil }
        guard let elements = value.elements else { return OpenAPIReader.text(value) }
        return elements.count > 1 ? nil : elements.first.map(OpenAPIReader.text) ?? ""
    }

    /// Returns the value of a header.
    func text(_ value: JSONValue) -> String {
        Self.parts(value, assigning: isExploded ? "=" : nil).joined(separator: separator)
    }

    /// Returns the part of a path that a value is, percent-encoded but for what the style adds.
    func segment(_ name: String, _ value: JSONValue) -> String {
        let value = Self.escaped(value)
        let name = PercentEncoding.escape(name)
        switch self.name {
        case "label":
            let parts = Self.parts(value, assigning: isExploded ? "=" : nil)
            return "." + parts.joined(separator: isExploded ? "." : ",")
        case "matrix":
            guard isExploded, value.elements != nil || value.members != nil else {
                return ";\(name)=" + Self.parts(value).joined(separator: ",")
            }
            let rows = ParameterStyle("form", explode: true).rows(name, value)
            return rows.map { ";\($0.name)=\($0.value)" }.joined()
        default:
            let separator = separator == "," ? separator : PercentEncoding.escape(separator)
            return Self.parts(value, assigning: isExploded ? "=" : nil).joined(separator: separator)
        }
    }

    /// The value with its texts and names percent-encoded.
    private static func escaped(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map { .string(PercentEncoding.escape(OpenAPIReader.text($0))) })
        case .object(let members):
            .object(
                members.map {
                    JSONValue.Member(
                        PercentEncoding.escape($0.key), .string(PercentEncoding.escape(OpenAPIReader.text($0.value))))
                })
        case .null, .bool, .number, .string: .string(PercentEncoding.escape(OpenAPIReader.text(value)))
        }
    }

    /// The texts of a value: its elements, or its names and values in turn.
    /// - Parameter sign: joins a name with its value; nil keeps them apart.
    private static func parts(_ value: JSONValue, assigning sign: String? = nil) -> [String] {
        switch value {
        case .array(let elements): elements.map(OpenAPIReader.text)
        case .object(let members):
            members.flatMap { member in
                let text = OpenAPIReader.text(member.value)
                return sign.map { [member.key + $0 + text] } ?? [member.key, text]
            }
        case .null, .bool, .number, .string: [OpenAPIReader.text(value)]
        }
    }
}
