/// The operation of one request while it is made, without its credentials.
struct OpenAPIOperationWriter {
    let order: RunOrder
    let request: ExportedRequest
    let values: OpenAPIValues
    var operation: OpenAPIOperation
    /// `/users/{id}`
    private(set) var path = ""
    /// The path without the names of its parameters: two with one shape are one path.
    private(set) var shape = ""
    /// The server before the path; nil for the environment's.
    private(set) var server: ExportText?
    /// The values that are not shown.
    private var hidden: [String] = []

    init(_ order: RunOrder) {
        self.order = order
        (request, values) = (ExportedRequest(order), OpenAPIValues(order))
        operation = OpenAPIOperation(
            name: order.request.name, description: order.request.description,
            tag: request.folders.joined(separator: "/"))
        operation.isDeprecated = order.request.tags.contains("deprecated")
        addAddress()
        addHeaders()
        addBody()
        addResponses()
        operation.losses = losses() + operation.losses
        if !hidden.isEmpty { lose("no example, as it is a secret or not known: " + hidden.joined(separator: ", ")) }
    }

    mutating func lose(_ text: String) { operation.losses.append(text) }

    mutating func hide(_ name: String) {
        if !hidden.contains(name) { hidden.append(name) }
    }

    private func losses() -> [String] {
        var losses = request.losses(besides: [.digest, .escaping, .functions])
        losses.removeAll { $0.hasPrefix("the access token of OAuth 2") || $0.hasPrefix("paths of files ") }
        guard var expect = order.request.expect else { return losses }
        if case .inline? = expect.schema { expect.schema = nil }
        expect.status = []
        guard expect.count == 0, let index = losses.firstIndex(where: { $0.hasPrefix("left out: ") }) else {
            return losses
        }
        let names = losses[index].dropFirst("left out: ".count).split(separator: ", ")
        let others = names.filter { $0 != "expectations" }
        losses[index] = "left out: " + others.joined(separator: ", ")
        if others.isEmpty { losses.remove(at: index) }
        return losses
    }

    // MARK: Parameters

    private mutating func add(
        _ name: ExportText, _ value: ExportText, _ place: OpenAPIOperation.Parameter.Place, _ description: String,
        isRequired: Bool = true
    ) {
        guard let plain = values.text(name), !plain.isEmpty else {
            return lose("a parameter is left out, as its name is not known: \(name.templates)")
        }
        let shown = example(value, named: plain)
        operation.add(
            OpenAPIOperation.Parameter(
                name: plain, place: place, isRequired: isRequired, description: description, values: [shown]))
    }

    private mutating func example(_ value: ExportText, named name: String) -> JSONValue? {
        guard let text = values.text(value), SecretDetector.find(in: text, named: name).isEmpty else {
            hide(name)
            return nil
        }
        return OpenAPIExample.typed(text)
    }

    private mutating func addAddress() {
        let target = order.request.target
        let text = target.text.prefix { $0 != "#" }
        let written = String(text.prefix { $0 != "?" })
        // A token in a path, and a password in a URL, become parameters.
        let whole = SecretDetector.find(in: written, named: "path").reversed().reduce(into: written) {
            $0.replaceSubrange($1.range, with: "{{\($1.name)}}")
        }
        var rest = whole[...]
        if let end = endOfServer(whole, isURL: target.isURL) {
            server = ExportText(String(whole[..<end]))
            rest = whole[end...]
        }
        addPath(rest.hasPrefix("/") ? String(rest) : "/" + String(rest))
        if written.count < text.count { addQuery(String(text.dropFirst(written.count + 1)), "", isRequired: true) }
        for field in order.request.query {
            if field.isRaw {
                addQuery(field.rawText, field.description ?? "", isRequired: field.enabled)
            } else {
                add(
                    ExportText(field.name), ExportText(field.value, secret: field.secretName), .query,
                    field.description ?? "", isRequired: field.enabled)
            }
        }
    }

    /// The end of a URL's server, and of a template in front that holds one; nil for a path.
    private func endOfServer(_ path: String, isURL: Bool) -> String.Index? {
        var start = path.startIndex
        if isURL, let scheme = path.firstRange(of: "://") {
            start = scheme.upperBound
        } else if path.hasPrefix("{{"), let close = path.firstRange(of: "}}") {
            let text = values.text(ExportText(String(path[..<close.upperBound])))
            guard text.map({ $0.contains("://") || $0.isEmpty }) ?? true else { return nil }
            start = close.upperBound
        } else {
            return nil
        }
        return path[start...].firstIndex(of: "/") ?? path.endIndex
    }

    private mutating func addPath(_ written: String) {
        var names = UniqueNames(separator: "_")
        let fields = order.request.pathParameters.filter(\.enabled)
        for part in PathPattern(written).parts {
            switch part {
            case .parameter(let name):
                let field = fields.first { $0.name == name }
                let value = field.map { ExportText($0.value, secret: $0.secretName) }
                addSegment(names.take(name), value, field?.description)
            case .text(let text):
                for piece in ExportText(text).pieces {
                    switch piece {
                    case .text(let text):
                        path += PercentEncoding.escapePath(text)
                        shape += PercentEncoding.escapePath(text)
                    case .value(let value):
                        let name = names.take(OpenAPIExport.name(value.name, or: "value"))
                        addSegment(name, ExportText(value), nil)
                    }
                }
            }
        }
    }

    private mutating func addSegment(_ name: String, _ value: ExportText?, _ description: String?) {
        path += "{\(name)}"
        shape += "{}"
        let shown = value.flatMap { example($0, named: name) }
        operation.parameters.append(
            OpenAPIOperation.Parameter(name: name, place: .path, description: description ?? "", values: [shown]))
    }

    /// Gives the parameters of the path the names that they have in another one of its shape.
    mutating func rename(_ names: [String]) {
        let indices = operation.parameters.indices.filter { operation.parameters[$0].place == .path }
        for (index, name) in zip(indices, names) { operation.parameters[index].name = name }
    }

    private mutating func addQuery(_ text: String, _ description: String, isRequired: Bool) {
        for item in text.split(separator: "&") {
            let name = String(item.prefix { $0 != "=" })
            let value = String(item.dropFirst(name.count + 1))
            let secret = Field(name, value).secretName
            let shown = secret == nil || value.contains("{{") ? Self.decoded(value) : ExportText(value, secret: secret)
            add(Self.decoded(name), shown, .query, description, isRequired: isRequired)
        }
    }

    private static func decoded(_ text: String) -> ExportText {
        ExportText(text).pieces.map { piece in
            switch piece {
            case .text(let text): ExportText(plain: PercentEncoding.unescapeForm(text))
            case .value(let value): ExportText(value)
            }
        }.joined(separator: "")
    }

    private mutating func addHeaders() {
        for cookie in order.request.cookies {
            let found = SecretDetector.find(in: "\(cookie.name)=\(cookie.value)", named: "Cookie")
            let secret = found.isEmpty ? cookie.secretName : cookie.name
            add(
                ExportText(cookie.name), ExportText(cookie.value, secret: secret), .cookie, cookie.description ?? "",
                isRequired: cookie.enabled)
        }
        for row in request.headers {
            switch row.name.plain?.lowercased() ?? "" {
            // The body has its type, and the document the credentials.
            case "content-type", "authorization": break
            case "accept": lose("the header Accept is left out: it is that of the responses")
            case "cookie" where !isCookieWritten: break
            default: add(row.name, row.value, .header, row.description)
            }
        }
        let others = ["content-type", "authorization", "accept"]
        for field in order.request.headers where !field.enabled && !others.contains(field.name.lowercased()) {
            add(
                ExportText(field.name), ExportText(field.value, secret: field.secretName), .header,
                field.description ?? "", isRequired: false)
        }
    }

    /// False for a header that has the rows of cookies and a key alone.
    private var isCookieWritten: Bool {
        let fields = order.request.headers + order.inheritance.headers(sentWith: order.request).map(\.value)
        return fields.contains { $0.enabled && $0.name.lowercased() == "cookie" }
    }
}
