extension OpenAPIReader {
    /// The parameters of an operation and of its path, which it may replace.
    mutating func parameters(of operation: ForeignValue, and item: ForeignValue) -> [OpenAPIParameter] {
        var found: [OpenAPIParameter] = []
        for value in (item["parameters"]?.elements ?? []) + (operation["parameters"]?.elements ?? []) {
            guard let value = resolved(value), let location = value["in"]?.string else { continue }
            let parameter = OpenAPIParameter(
                name: ForeignText.line(value["name"]?.text ?? ""), location: location, value: value)
            guard !parameter.name.isEmpty else { continue }
            if let index = found.firstIndex(where: { Self.areSame($0, parameter) }) {
                found[index] = parameter
            } else {
                found.append(parameter)
            }
        }
        return found
    }

    private static func areSame(_ left: OpenAPIParameter, _ right: OpenAPIParameter) -> Bool {
        guard left.location == right.location else { return false }
        return left.name == right.name
            || left.location == "header" && left.name.lowercased() == right.name.lowercased()
    }

    // MARK: Paths

    /// Writes `/users/{id}` as `/users/:id`. A parameter that is not a whole start of a segment is a variable.
    mutating func address(
        _ path: String, _ parameters: [OpenAPIParameter], of request: inout SavedRequest, at offset: Int
    ) {
        let segments = ForeignText.line(path).split(separator: "/", omittingEmptySubsequences: false)
        request.path = segments.map { segment($0, parameters, of: &request, at: offset) }.joined(separator: "/")
        if path.contains("#") { log.remark(offset, path.excerpted, "what follows the # is not sent") }
        let named = Self.names(inBraces: path).compactMap { Self.parameter($0, in: parameters)?.name }
        for parameter in parameters where parameter.location == "path" && !named.contains(parameter.name) {
            log.loss(parameter.value.offset, parameter.name.excerpted, "left out: the path does not name it")
        }
    }

    /// The parameter that a name in braces means. Generators put marks around it: `{proxy+}`, `{.id*}`, `{id:int}`.
    private static func parameter(_ written: String, in parameters: [OpenAPIParameter]) -> OpenAPIParameter? {
        let plain = written.drop { ".;*".contains($0) }.prefix { !"*+?:".contains($0) }
        let ofPath = parameters.filter { $0.location == "path" }
        return ofPath.first { $0.name == written } ?? ofPath.first { $0.name == plain }
    }

    private mutating func segment(
        _ segment: Substring, _ parameters: [OpenAPIParameter], of request: inout SavedRequest, at offset: Int
    ) -> String {
        var result = ""
        var rest = segment
        if rest.first == ":" {
            result = "%3A"
            rest.removeFirst()
        }
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open]
            let written = String(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
            // The names of rows, as a template of RFC 6570 has them.
            if let mark = written.first, "?&".contains(mark) {
                for name in written.dropFirst().split(separator: ",")
                where !parameters.contains(where: { $0.location == "query" && $0.name == name }) {
                    log.remark(offset, "{\(written.excerpted)}", "the document does not describe it")
                }
                continue
            }
            let parameter = Self.parameter(written, in: parameters)
            let value = parameter.map { sample(of: $0) } ?? .string("")
            if parameter == nil { log.remark(offset, "{\(written.excerpted)}", "the document does not describe it") }
            let description = parameter?.description ?? ""
            let isBound = rest.first.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
            let style = parameter?.style ?? ParameterStyle("simple", explode: nil)
            let isJSON = parameter?.media != nil
            if result.isEmpty, !isBound, let plain = isJSON ? Self.text(value) : style.plain(value) {
                let name = parameterName(parameter?.name ?? written, in: request, at: offset)
                result += ":" + name
                request.pathParameters.append(Field(name, Self.literal(plain)).described(description))
            } else {
                let known = parameter?.name ?? written
                let text = isJSON ? PercentEncoding.escape(Self.text(value)) : style.segment(known, value)
                let name = pathVariable(known, in: &request, Field("", Self.literal(text)).described(description))
                result += "{{\(name)}}"
                log.remark(offset, "{\(written.excerpted)}", "a variable, as it is no whole segment or has a style")
            }
        }
        return result + rest
    }

    /// Returns the name of a variable of the request with a part of its path.
    private mutating func pathVariable(
        _ written: String, in request: inout SavedRequest, _ value: Variable
    ) -> String {
        var value = value
        value.name = Self.variableName(written)
        // The one in front of each path has a host.
        if value.name == base { value.name += "_" }
        if !request.variables.contains(where: { $0.name == value.name }) { request.variables.append(value) }
        return value.name
    }

    /// A name of letters, digits and `_`.
    private mutating func parameterName(_ written: String, in request: SavedRequest, at offset: Int) -> String {
        let letters = written.map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" ? $0 : "_" }
        let name = ForeignText.unused(letters.isEmpty ? "value" : String(letters)) { name in
            request.pathParameters.contains { $0.name == name }
        }
        if name != written { log.remark(offset, "{\(written.excerpted)}", "renamed to \(name)") }
        return name
    }

    // MARK: Rows

    mutating func rows(_ parameters: [OpenAPIParameter], of request: inout SavedRequest) {
        for parameter in parameters {
            switch parameter.location {
            case "path": break
            case "body" where version == .two, "formData" where version == .two: break
            case "querystring": wholeQuery(parameter, of: &request)
            case "query": query(parameter, of: &request)
            case "header": header(parameter, of: &request)
            case "cookie":
                request.cookies += texts(parameter).map { row -> Field in
                    let value = parameter.style.cookie(ForeignText.line(row.value))
                    return Field(Self.literal(row.name), Self.literal(value), enabled: parameter.isRequired)
                        .described(parameter.description)
                }
            default:
                let place = parameter.location.excerpted
                log.loss(parameter.value.offset, parameter.name.excerpted, "left out: a request has no \(place)")
            }
        }
    }

    private mutating func query(_ parameter: OpenAPIParameter, of request: inout SavedRequest) {
        let sample = sample(of: parameter)
        var rows = texts(parameter, sample).map { Self.row($0.name, $0.value, parameter) }
        if parameter.media == nil, !parameter.allowsReserved, let text = parameter.style.delimited(sample) {
            let name = Self.literal(PercentEncoding.escapeParameter(parameter.name))
            rows = [.raw(name, Self.literal(text), enabled: parameter.isRequired)]
        }
        request.query += completed(rows, sample, parameter)
    }

    /// More properties of an object have no rows.
    private static let maximumProperties = 500

    /// Returns the rows of an object in the order of its properties. Those that its sample lacks are rows, too, and not
    /// sent: nothing else says that they are there.
    private mutating func completed(
        _ rows: [Field], _ sample: JSONValue, _ parameter: OpenAPIParameter
    ) -> [Field] {
        let (style, isEmpty) = (parameter.style, sample == .object([]))
        let isDeep = style.name == "deepObject"
        var hasRows = parameter.media == nil && (isDeep || style.name == "form" && style.isExploded)
        if case .object = sample {} else { hasRows = false }
        let properties = hasRows ? schemas.properties(of: parameter.schema).prefix(Self.maximumProperties) : []
        guard !properties.isEmpty else { return rows.map { $0.described(parameter.description) } }
        var (result, rest): ([Field], [Field]) = ([], isEmpty ? [] : rows)
        for property in properties where property.value["readOnly"] != .bool(true) {
            let name = Self.literal(isDeep ? "\(parameter.name)[\(property.key)]" : property.key)
            let description = property.value["description"]?.stringValue?.trimmed ?? parameter.description
            let own = rest.filter { $0.name == name || $0.name.hasPrefix(name + "[") }
            rest.removeAll { own.contains($0) }
            result += own.map { $0.described(description) }
            guard own.isEmpty else { continue }
            let value = made(of: property.value, parameter)
            let text = value.elements == nil ? Self.text(value) : ""
            result.append(Field(name, Self.literal(text), enabled: false).described(description))
        }
        return result + rest.map { $0.described(parameter.description) }
    }

    private static func row(_ name: String, _ value: String, _ parameter: OpenAPIParameter) -> Field {
        guard parameter.allowsReserved, !value.isEmpty else {
            return Field(literal(name), literal(value), enabled: parameter.isRequired)
        }
        // These would end the value.
        let written = value.replacing("&", with: "%26").replacing("#", with: "%23")
        return .raw(
            literal(PercentEncoding.escapeParameter(name)), literal(written), enabled: parameter.isRequired)
    }

    private mutating func header(_ parameter: OpenAPIParameter, of request: inout SavedRequest) {
        let name = parameter.name
        let isTaken = takesAuthorization && name.lowercased() == "authorization"
        if !isTaken, ["accept", "content-type", "authorization"].contains(name.lowercased()) {
            return log.remark(parameter.value.offset, name, "left out, as OpenAPI ignores a parameter of this name")
        }
        guard (try? Field.checkHeaderName(name)) != nil, !name.contains("{{") else {
            return log.loss(parameter.value.offset, name.excerpted, "left out: no header has such a name")
        }
        let sample = sample(of: parameter)
        let value = ForeignText.line(parameter.media == nil ? parameter.style.text(sample) : Self.text(sample))
        request.headers.append(
            Field(name, Self.literal(value), enabled: parameter.isRequired).described(parameter.description))
    }

    /// The names and values that a parameter is sent as, in a query, in cookies or in a form.
    mutating func texts(_ parameter: OpenAPIParameter) -> [ParameterStyle.Row] {
        texts(parameter, sample(of: parameter))
    }

    private func texts(_ parameter: OpenAPIParameter, _ sample: JSONValue) -> [ParameterStyle.Row] {
        if parameter.media != nil { return [(parameter.name, Self.text(sample))] }
        return parameter.style.rows(parameter.name, sample)
    }

    /// Adds the query that a parameter is as a whole: that of a form has rows, any other text is one.
    private mutating func wholeQuery(_ parameter: OpenAPIParameter, of request: inout SavedRequest) {
        let sample = sample(of: parameter)
        if case .object = sample, parameter.media?.key.lowercased().hasPrefix(Self.form) ?? true {
            let schema = parameter.media?.value["schema"]?.json ?? parameter.schema
            request.query += fields(sample, schema, parameter.media?.value["encoding"]).map { row in
                var row = row
                row.enabled = parameter.isRequired
                return row
            }
            return
        }
        let text = Self.literal(PercentEncoding.escapeParameter(Self.text(sample)))
        guard !text.isEmpty else { return }
        request.query.append(.raw(text, "", enabled: parameter.isRequired).described(parameter.description))
    }

    /// The content type of forms.
    static let form = "application/x-www-form-urlencoded"

    private mutating func sample(of parameter: OpenAPIParameter) -> JSONValue {
        let schema = parameter.media?.value["schema"]?.json ?? parameter.schema
        let sample = example(of: parameter.media?.value ?? parameter.value) ?? made(of: schema, parameter)
        let empty: [JSONValue] = [.string(""), .array([]), .array([.string("")])]
        if !empty.contains(sample) {
            // It is sent as a text, whatever its type.
            let text = Self.text(sample)
            let others: [JSONValue] = [.string(text), (try? JSONValue.parse(text)) ?? sample]
            note(sample, or: others, of: schema, parameter.name.excerpted, at: parameter.value.offset)
        } else if parameter.isRequired {
            let reason = "required, and the document has no value for it"
            log.remark(parameter.value.offset, parameter.name.excerpted, reason)
        }
        return sample
    }

    private mutating func made(of schema: JSONValue, _ parameter: OpenAPIParameter) -> JSONValue {
        // A text that is not described has no value but in a path, which has to have one.
        schemas.placeholder = parameter.location == "path" ? "string" : ""
        defer { schemas.placeholder = "string" }
        return sample(schema, at: parameter.value.offset) ?? .string("")
    }

    /// The example of a parameter or a media type.
    mutating func example(of value: ForeignValue) -> JSONValue? {
        if let example = value["example"] ?? value["x-example"] { return example.json }
        for (_, entry) in value["examples"]?.members ?? [] {
            guard let entry = resolved(entry) else { continue }
            if let value = shownValue(of: entry) { return value.json }
        }
        return nil
    }

    /// The value of an entry of `examples`; nil, with a loss, for one elsewhere.
    mutating func shownValue(of entry: ForeignValue) -> ForeignValue? {
        if let value = entry["value"] ?? entry["dataValue"] ?? entry["serializedValue"] { return value }
        if let url = entry["externalValue"] {
            log.loss(url.offset, "externalValue", "left out: examples elsewhere are not read")
        }
        return nil
    }
}

struct OpenAPIParameter {
    let name: String
    /// `path`, `query`, `header`, `cookie`, and in 2.0 `body` and `formData`.
    let location: String
    let value: ForeignValue

    var isRequired: Bool { location == "path" || value["required"]?.bool ?? false }
    /// The schema; in 2.0 the parameter is one itself.
    var schema: JSONValue { (value["schema"] ?? value).json }
    /// The text for the rows that are made of it; empty for none.
    var description: String { value["description"]?.string?.trimmed ?? "" }
    var media: (key: String, value: ForeignValue)? { value["content"]?.members.first }

    /// The way in which a list or an object is sent.
    var style: ParameterStyle {
        if let format = value["collectionFormat"]?.string { return ParameterStyle(collectionFormat: format) }
        // That of OpenAPI 2.0 is a schema itself.
        if value["schema"] == nil, value["type"] != nil { return ParameterStyle(collectionFormat: "csv") }
        let usual = ["query", "cookie", "formData"].contains(location) ? "form" : "simple"
        return ParameterStyle(value["style"]?.string ?? usual, explode: value["explode"]?.bool)
    }

    /// True for one in which characters with a meaning in URLs are not encoded.
    var allowsReserved: Bool { location == "query" && value["allowReserved"]?.bool ?? false }
}
