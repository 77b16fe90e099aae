import OmbiCore

extension SavedExample {
    /// The reason for the loss of a response that is none of these.
    static let lost = "saved responses without a status, and those longer than 256 KiB, are left out"

    /// In bytes of a body.
    private static let maximumBody = 256 << 10

    /// The saved response of another tool; nil for one without a status, and for one that is too long.
    init?(_ value: ForeignValue) {
        let response = value["response"] ?? value
        let codes = ["code", "statusCode", "status"].compactMap { key in response[key].flatMap { Int($0.text) } }
        let content = response["body"]
        let rows = (response["headers"] ?? response["header"])?.elements ?? []
        self.init(
            foreign: value["name"]?.text ?? "", status: codes.first(where: Self.isStatus),
            headers: rows.map { row in
                Field((row["key"] ?? row["name"])?.text.trimmed ?? "", row["value"]?.text ?? "")
            },
            body: content?.string ?? (content?["content"] ?? content?["data"])?.text ?? "")
    }

    /// Leaves out the headers that are credentials, and masks the members of the body that are named as some: a
    /// response is read, and never sent.
    init?(foreign name: String, status: Int?, headers: [Field], body: String) {
        guard let status, Self.isStatus(status), body.utf8.count <= Self.maximumBody else { return nil }
        let kept = headers.compactMap { header -> Field? in
            guard HeaderCheck.isToken(header.name), header.secretName == nil else { return nil }
            return Field(header.name, ForeignText.line(header.value))
        }
        let first = body.first { !$0.isWhitespace }
        let isJSON = first == "{" || first == "["
        self.init(
            ForeignText.name(name, or: "\(status)"), status: status, headers: kept,
            body: isJSON ? LogMask.json(body) : body)
    }

    private static func isStatus(_ code: Int) -> Bool { (100...599).contains(code) }
}
