/// The cookies of a request, which are one header.
extension SavedRequest {
    /// The headers that are sent, with the cookies behind those of a written `Cookie`.
    var sentHeaders: [Field] {
        let pairs = cookies.filter { $0.enabled && !$0.name.isEmpty }.map { "\($0.name)=\($0.value)" }
        guard !pairs.isEmpty else { return headers }
        let text = pairs.joined(separator: "; ")
        var sent = headers
        if let index = sent.firstIndex(where: { $0.enabled && $0.name.lowercased() == "cookie" }) {
            sent[index].value += (sent[index].value.isEmpty ? "" : "; ") + text
        } else {
            sent.append(Field("Cookie", text))
        }
        return sent
    }
}

extension Field {
    /// Throws for a name or a value of a cookie that ends too early.
    public static func checkCookie(_ text: String, isName: Bool) throws(FieldError) {
        // By scalars: a mark after it makes another character of it.
        if text.unicodeScalars.contains(";") { throw FieldError("a ; would end the cookie") }
        if isName, text.unicodeScalars.contains("=") { throw FieldError("a = would end the name of the cookie") }
    }
}
