import OmbiCore

extension SavedExample {
    /// The reason for the loss of a response that is none of these.
    static let lost = "saved responses without a status, and those longer than 256 KiB, are left out"

    /// In bytes of a body.
    private static let maximumBody = 256 << 10

    /// The saved response of another tool, without the headers and members that are credentials; nil for one without a
    /// status, and for one that is too long.
    init?(_ value: ForeignValue) {
        let response = value["response"] ?? value
        let codes = ["code", "statusCode", "status"].compactMap { key in response[key].flatMap { Int($0.text) } }
        guard let status = codes.first(where: { (100...599).contains($0) }) else { return nil }
        let content = response["body"]
        let text = content?.string ?? (content?["content"] ?? content?["data"])?.text ?? ""
        guard text.utf8.count <= Self.maximumBody else { return nil }
        let rows = (response["headers"] ?? response["header"])?.elements ?? []
        let headers = rows.compactMap { row -> Field? in
            let name = (row["key"] ?? row["name"])?.text.trimmed ?? ""
            guard HeaderCheck.isToken(name) else { return nil }
            let field = Field(name, ForeignText.line(row["value"]?.text ?? ""))
            return field.secretName == nil ? field : nil
        }
        let name = ForeignText.name(value["name"]?.text ?? "", or: "\(status)")
        // What it issues is real: nobody makes up a token for a response that a tool saves.
        let first = text.first { !$0.isWhitespace }
        let isJSON = first == "{" || first == "["
        self.init(name, status: status, headers: headers, body: isJSON ? LogMask.json(text) : text)
    }
}
