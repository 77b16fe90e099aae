import OmbiCore
import OmbiDocument

/// Problems of a request that no server takes: a run would refuse it.
extension CollectionCheck {
    static func checkHeaders(_ headers: [TemplatePlaces.Header], _ log: ProblemLog) {
        // A broken template is an error already.
        for header in headers where (try? Template(header.name.text)) != nil {
            do throws(FieldError) { try Field.checkHeaderName(header.name.text) } catch {
                log.error(
                    at: header.name.range.lowerBound,
                    "the header \(JSONValue.quoted(header.name.text.excerpt(40))): \(error.message)")
            }
            if !texts(of: header.value.text).allSatisfy({ HeaderCheck.isValue($0) }) {
                log.error(
                    at: header.value.range.lowerBound,
                    "the header \(JSONValue.quoted(header.name.text.excerpt(40))): \(Resolution.headerReason)")
            }
        }
    }

    /// Returns what is written between the templates of a text.
    private static func texts(of text: String) -> [String] {
        let parts = (try? Template(text))?.parts ?? []
        return parts.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    static func checkMethods(of collection: Collection, _ texts: TemplatePlaces, _ log: ProblemLog) {
        for (request, offset) in zip(collection.requests, texts.methods) {
            if request.method == .connect {
                log.error(at: offset, "\"method\": CONNECT asks a proxy for a tunnel, and is no request to a server")
            } else if request.isWebSocket, request.method != .get || request.body != nil {
                log.error(at: offset, "\"method\": \(Resolution.webSocketReason)")
            }
        }
    }
}
