import OmbiCore
import OmbiWorkspace

/// A part of a request that is edited as one line of text.
enum RequestField: Hashable, Sendable {
    case name
    case description
    case url
    case pathParameter(String)
    case queryName(Int), queryValue(Int)
    case headerName(Int), headerValue(Int)
    case formName(Int), formValue(Int)
    case token, username, password
    case retries, sla, timeout, backoffFirst, backoffFactor, backoffJitter, retryOn
    case expectStatus, expectWithin

    /// The field that Tab goes to after this one, where the two are edited as a pair.
    var partner: RequestField? {
        switch self {
        case .queryName(let row): .queryValue(row)
        case .headerName(let row): .headerValue(row)
        case .formName(let row): .formValue(row)
        case .username: .password
        default: nil
        }
    }
}

/// Why a field rejects a text, as a message for the status line.
struct FieldError: Error, Equatable, Sendable {
    var message: String

    init(_ message: String) { self.message = message }
}

extension SavedRequest {
    func text(of field: RequestField) -> String {
        switch field {
        case .name: name
        case .description: description
        case .url: path
        case .pathParameter(let name): pathParameters.first { $0.name == name }?.value ?? ""
        case .queryName(let row): query[safe: row]?.name ?? ""
        case .queryValue(let row): query[safe: row]?.value ?? ""
        case .headerName(let row): headers[safe: row]?.name ?? ""
        case .headerValue(let row): headers[safe: row]?.value ?? ""
        case .formName(let row): body?.form[safe: row]?.name ?? ""
        case .formValue(let row): body?.form[safe: row]?.value ?? ""
        case .token, .username, .password: credential(field)
        case .expectStatus: expect?.statusText ?? ""
        case .expectWithin: expect?.within.map(DurationText.format) ?? ""
        default: policy?.text(of: field) ?? ""
        }
    }

    mutating func set(_ field: RequestField, to text: String) throws(FieldError) {
        switch field {
        case .name: name = try Self.nonEmpty(text, "a request needs a name")
        case .description: description = text
        case .url: setURL(text)
        case .pathParameter(let name): setPathParameter(name, to: text)
        case .queryName(let row): query.change(row) { $0.name = text }
        case .queryValue(let row): query.change(row) { $0.value = text }
        case .headerName(let row): try setHeaderName(row, to: text)
        case .headerValue(let row): headers.change(row) { $0.value = text }
        case .formName(let row): changeForm { $0.change(row) { $0.name = text } }
        case .formValue(let row): changeForm { $0.change(row) { $0.value = text } }
        case .token, .username, .password: setCredential(field, to: text)
        case .expectStatus: try setExpectedStatus(text)
        case .expectWithin: try setExpectedDuration(text)
        default: try setPolicy(field, to: text)
        }
    }

    // MARK: Parts

    /// Splits a pasted query into rows; the path keeps its templates and parameters.
    private mutating func setURL(_ text: String) {
        let address = text.prefix { $0 != "#" }
        guard let mark = address.firstIndex(of: "?") else { return path = text }
        path = String(address[..<mark])
        for pair in address[address.index(after: mark)...].split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // Rows hold plain text, which is encoded when sent.
            let value = sides.count == 2 ? PercentEncoding.unescapeForm(sides[1]) : ""
            query.append(Field(PercentEncoding.unescapeForm(sides[0]), value))
        }
    }

    private mutating func setPathParameter(_ name: String, to text: String) {
        guard let row = pathParameters.firstIndex(where: { $0.name == name }) else {
            return pathParameters.append(Field(name, text))
        }
        pathParameters[row].value = text
    }

    private mutating func setHeaderName(_ row: Int, to text: String) throws(FieldError) {
        let forbidden = text.unicodeScalars.first { $0.value <= 0x20 || $0.value > 0x7E || $0 == ":" }
        if let forbidden {
            throw FieldError("a header name has no \(forbidden == ":" ? "colon" : "blanks or special characters")")
        }
        headers.change(row) { $0.name = text }
    }

    private mutating func changeForm(_ change: (inout [Field]) -> Void) {
        guard case .form(var fields) = body else { return }
        change(&fields)
        body = .form(fields)
    }

    private func credential(_ field: RequestField) -> String {
        switch authentication {
        case .bearer(let bearer): bearer.token
        case .basic(let basic): field == .username ? basic.username : basic.password
        case .noAuthentication, nil: ""
        }
    }

    private mutating func setCredential(_ field: RequestField, to text: String) {
        switch authentication {
        case .bearer(var bearer) where field == .token:
            bearer.token = text
            authentication = .bearer(bearer)
        case .basic(var basic):
            if field == .username { basic.username = text } else { basic.password = text }
            authentication = .basic(basic)
        default: break
        }
    }

    private static func nonEmpty(_ text: String, _ reason: String) throws(FieldError) -> String {
        let trimmed = String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        if trimmed.isEmpty { throw FieldError(reason) }
        return trimmed
    }
}

extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }

    mutating func change(_ index: Int, _ change: (inout Element) -> Void) {
        if indices.contains(index) { change(&self[index]) }
    }
}
