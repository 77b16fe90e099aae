import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The parts of an entry.
extension HurlReader {
    /// Adds a line of a section, or a header.
    mutating func add(
        _ line: HTTPFileLine, in section: String, isResponse: Bool, to request: inout SavedRequest
    ) {
        if section == "Asserts" { return assert(line, of: &request) }
        let isQuery = section == "Captures"
        guard let pair = HurlLine.pair(line.text, isExpression: isQuery || section == "Options") else {
            return log.loss(line.offset, line.text.excerpt(30), "left out: this line is not known")
        }
        if isQuery { return capture(pair.name, pair.value, of: &request, at: line.offset) }
        let (name, value) = (template(pair.name, at: line.offset), template(pair.value, at: line.offset))
        switch section {
        case "Query": request.query.append(Field(name, value))
        case "Form": addField(Field(name, value), to: &request)
        case "Multipart": addPart(name, pair.value, to: &request, at: line.offset)
        case "Cookies": request.cookies.append(Field(name, value))
        case "BasicAuth":
            request.authentication = .basic(BasicAuthentication(username: name, password: value))
        case "Options": option(pair.name, pair.value, of: &request, at: line.offset)
        default: addHeader(name, value, isResponse: isResponse, to: &request, at: line.offset)
        }
    }

    mutating func addHeader(
        _ name: String, _ value: String, isResponse: Bool, to request: inout SavedRequest, at offset: Int
    ) {
        guard log.isHeader(name, at: offset) else { return }
        let value = ForeignText.line(value)
        guard isResponse else {
            request.headers.append(Field(name, value))
            return
        }
        guard !value.isEmpty else { return }
        var expect = request.expect ?? Expectation()
        expect.headers.append(HeaderExpectation(name, [.equals(.string(value))]))
        request.expect = expect
    }

    private func addField(_ field: Field, to request: inout SavedRequest) {
        if case .form(var form)? = request.body {
            form.fields.append(field)
            request.body = .form(form)
        } else {
            request.body = .form(FormContent([field]))
        }
    }

    /// `file,path; type`, or a text.
    private mutating func addPart(_ name: String, _ value: String, to request: inout SavedRequest, at offset: Int) {
        var part = MultipartPart(name, .text(template(value, at: offset)))
        if value.hasPrefix("file,") {
            let words = value.dropFirst(5).split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            let path = words.first?.trimmed ?? ""
            if !path.isEmpty { part.content = .file(template(path, at: offset)) }
            let type = words.count > 1 ? words[1].trimmed : ""
            if !type.isEmpty { part.contentType = template(type, at: offset) }
            log.notePath(at: offset)
        }
        if case .multipart(var form)? = request.body {
            form.parts.append(part)
            request.body = .multipart(form)
        } else {
            request.body = .multipart(MultipartContent([part]))
        }
    }

    // MARK: Bodies

    mutating func setBody(_ lines: [HTTPFileLine], of request: inout SavedRequest) {
        defer { request.dropContentType() }
        var lines = lines
        while let last = lines.last, last.isBlank || last.text.hasPrefix("#") { lines.removeLast() }
        guard let first = lines.first else { return }
        let text = first.text.trimmed
        let type = request.headers.last { $0.name.lowercased() == "content-type" }?.value
        if text.hasPrefix("file,") {
            let path = HurlLine.value(text.dropFirst(5)).prefix { $0 != ";" }.trimmed
            log.notePath(at: first.offset)
            if !path.isEmpty {
                request.body = .file(FileContent(template(path, at: first.offset), contentType: type))
            }
        } else if text.hasPrefix("base64,") || text.hasPrefix("hex,") {
            setBytes(lines.map { String($0.text.trimmed) }.joined(), at: first.offset, type, of: &request)
        } else if text.hasPrefix("```") {
            let word = text.dropFirst(3).prefix { $0 != "," }.trimmed
            let inner = lines.dropFirst().prefix { !$0.text.trimmed.hasPrefix("```") }
            if word == "graphql" {
                request.body = .graphql(graphQL(inner, at: first.offset))
            } else {
                let content = inner.map { $0.text + "\n" }.joined()
                let types = ["json": "application/json", "xml": "application/xml"]
                request.body = ForeignBody().body(renamed(content, at: first.offset), type ?? types[word])
            }
        } else if text.hasPrefix("`") {
            let content = HurlLine.quoted(text.dropFirst())
            request.body = ForeignBody().body(renamed(content, at: first.offset), type)
        } else {
            let content = renamed(lines.map(\.text).joined(separator: "\n"), at: first.offset)
            request.body = ForeignBody().body(content, type ?? (text.hasPrefix("<") ? "text/xml" : "application/json"))
        }
    }

    /// Takes a query, and the variables that may follow it: `variables {"id": 7}`.
    private mutating func graphQL(_ lines: ArraySlice<HTTPFileLine>, at offset: Int) -> GraphQLContent {
        let word = "variables"
        let found = lines.firstIndex { line in
            guard line.text.hasPrefix(word) else { return false }
            let rest = line.text.dropFirst(word.count).trimmed
            return rest.isEmpty || rest.hasPrefix("{")
        }
        let query = lines[..<(found ?? lines.endIndex)].map { $0.text + "\n" }.joined()
        var content = GraphQLContent(template(query, at: offset))
        guard let start = found else { return content }
        let place = lines[start].offset
        let text = lines[start...].map { $0.text + "\n" }.joined().dropFirst(word.count)
        let variables = renamed(String(text), at: place)
        content.variables = log.graphQLVariables(variables, at: place)
        return content
    }

    /// Takes bytes that are a text: `base64,VGV4dA==;`, `hex,54657874;`.
    private mutating func setBytes(
        _ text: String, at offset: Int, _ type: String?, of request: inout SavedRequest
    ) {
        let digits = text.drop { $0 != "," }.dropFirst().prefix { $0 != ";" }
        let bytes = text.hasPrefix("hex") ? Self.bytes(ofHex: digits) : Data(base64Encoded: String(digits))
        guard let bytes, let content = String(validating: bytes, as: UTF8.self) else {
            return log.loss(offset, "body", "left out: a body of bytes; choose a file for it")
        }
        request.body = ForeignBody(isLiteral: true).body(content, type)
    }

    private static func bytes(ofHex digits: Substring) -> Data? {
        let values = digits.compactMap(\.hexDigitValue)
        guard values.count == digits.count, values.count.isMultiple(of: 2) else { return nil }
        return Data(stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) })
    }
}
