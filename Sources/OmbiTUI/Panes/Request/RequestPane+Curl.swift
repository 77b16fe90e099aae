import OmbiTerminal
import OmbiWorkspace

/// The request as a command of curl: pasted into the URL.
extension RequestPane {
    /// Returns true for a text that replaces the request rather than its URL.
    func takesCurl(_ text: String) -> Bool {
        guard case .field(.url, _) = editing else { return false }
        return CurlImport.recognizes(text)
    }

    /// Sets the request to that of a command; its name stays. A mistake in the command leaves the field open.
    mutating func replace(by command: String, in workbench: inout Workbench) -> [Outcome] {
        do throws(ImportError) {
            guard let pasted = try PastedRequests(command, in: workbench.environment), let first = pasted.requests.first
            else { return [] }
            editing = nil
            workbench.editRequest { $0.take(first) }
            let more = pasted.requests.count - 1
            return pasted.outcomes(
                "Replaced by the curl command" + (more > 0 ? ", but not by its \(Count.of(more, "other request"))" : "")
            )
        } catch {
            return .notify(.failure, "curl, \(error)")
        }
    }
}

extension SavedRequest {
    /// Takes over everything that is sent.
    fileprivate mutating func take(_ other: SavedRequest) {
        (method, path, pathParameters, query) = (other.method, other.path, other.pathParameters, other.query)
        (headers, authentication, body) = (other.headers, other.authentication, other.body)
        policy = other.policy ?? policy
        connection = other.connection ?? connection
    }
}
