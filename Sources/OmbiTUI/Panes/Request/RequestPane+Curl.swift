import OmbiTerminal
import OmbiWorkspace

/// The request as a command of curl: pasted into the URL, and copied.
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
                "replaced by the curl command" + (more > 0 ? ", but not by its \(Count.of(more, "other request"))" : "")
            )
        } catch {
            return .notify(.failure, "curl, \(error)")
        }
    }

    // MARK: Copying

    /// The forms in which a request is copied.
    func chooseCopy(_ workbench: Workbench) -> [Outcome] {
        guard workbench.request != nil else { return .notify(.info, "select a request first; Enter opens a folder") }
        let items = [
            PickerOverlay.Item(name: "URL", note: "with templates", action: .request(.copyURL)),
            PickerOverlay.Item(name: "curl", note: "with templates", action: .request(.copyCurl)),
            PickerOverlay.Item(name: "curl, filled in", note: "secrets masked", action: .request(.copyResolvedCurl)),
        ]
        return [.open(.picker(PickerOverlay(title: "Copy", items: items)))]
    }

    func copyURL(_ workbench: Workbench) -> [Outcome] {
        workbench.order.map { [.effect(.copy($0.shownURL, named: "URL"))] } ?? []
    }

    func copyCurl(_ workbench: Workbench) -> [Outcome] {
        workbench.order.map { [.effect(.copy($0.shownCurl, named: "curl"))] } ?? []
    }

    func copyResolvedCurl(_ workbench: Workbench) -> [Outcome] {
        workbench.order.map { [.effect(.copyCurl($0))] } ?? []
    }
}

extension SavedRequest {
    /// Takes over everything that is sent.
    fileprivate mutating func take(_ other: SavedRequest) {
        (method, path, pathParameters, query) = (other.method, other.path, other.pathParameters, other.query)
        (headers, authentication, body) = (other.headers, other.authentication, other.body)
        policy = other.policy ?? policy
    }
}

extension Workbench {
    /// The selected request and its surroundings.
    fileprivate var order: RunOrder? { order(0) }
}
