import OmbiCore
import OmbiTerminal
import OmbiViewer
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Response bodies: from their first bytes into a viewer, and the user's actions there.
extension AppState {
    /// The viewer on the screen.
    var shownViewer: Viewer? {
        get { run.flatMap { responsePane.showsBody($0) ? $0.viewer : nil } }
        set { if let selected { runs[selected]?.viewer = newValue } }
    }

    private var viewerSize: Size {
        let inside =
            layout.inside(.response) ?? Layout(size: size, focus: .response, zoomed: isZoomed).inside(.response)
        return inside?.dropTop(ResponsePane.headRows).size ?? Size(columns: 80, rows: 10)
    }

    /// Passes the current size to the viewer.
    mutating func settleViewer() {
        guard var viewer = shownViewer else { return }
        viewer.resize(to: viewerSize)
        shownViewer = viewer
    }

    /// Passes an action to the viewer. Nil when it means nothing there.
    mutating func updateViewer(_ action: Action) -> [Effect]? {
        guard var viewer = shownViewer else { return nil }
        // The mark may have been set in another body.
        viewer.settings.mark = viewerSettings.mark
        guard let effects = viewer.perform(action) else { return nil }
        viewerSettings = viewer.settings
        shownViewer = viewer
        return effects.run(by: viewer.id, notice: &notice)
    }

    mutating func scrollViewer(by lines: Int) -> [Effect] {
        shownViewer?.scroll(by: lines)
        return []
    }

    mutating func receive(_ event: ViewerEvent, of id: ViewerID) -> [Effect] {
        guard let item = items[id.owner], var viewer = runs[item]?.viewer, viewer.id == id else { return [] }
        let effects = viewer.receive(event)
        change(id.owner) { $0.viewer = viewer }
        return effects.run(by: id, notice: &notice)
    }

    // MARK: Runs

    mutating func fold(_ event: RequestEvent, of id: RunID) -> [Effect] {
        guard let item = items[id], runs[item]?.id == id else { return [] }
        change(id) { $0.fold(event) }
        switch event {
        case .attemptStarted, .fallbackUsed: return dropViewer(of: id)
        case .bodyStarted(_, let store, _): return startBody(of: id, .store(store))
        case .bodyReceived: return runs[item]?.viewer.map { [.view($0.id, .readMore(isComplete: false))] } ?? []
        default: return []
        }
    }

    /// Ends the work for a run that another one replaces.
    mutating func forgetRun(of item: ItemID) -> [Effect] {
        guard let run = runs[item] else { return [] }
        items[run.id] = nil
        return run.viewer.map { [.view($0.id, .forget)] } ?? []
    }

    private mutating func dropViewer(of id: RunID) -> [Effect] {
        guard let item = items[id], let viewer = runs[item]?.viewer else { return [] }
        change(id) { $0.viewer = nil }
        return [.view(viewer.id, .forget)]
    }

    private mutating func startBody(of id: RunID, _ source: BodySource) -> [Effect] {
        guard let item = items[id], let run = runs[item] else { return [] }
        let head = run.response.map { $0[.contentType] } ?? run.head?.headers[.contentType]
        var viewer = Viewer(id: ViewerID(id, number: run.attempt), settings: viewerSettings, size: viewerSize)
        viewer.name = run.sent.map { "\($0.method.rawValue) \($0.url)" } ?? run.name
        viewer.before = run.before
        change(id) { $0.viewer = viewer }
        return [.view(viewer.id, .read(source, contentType: head?.text))]
    }

    /// Shows the body of a response, or keeps the part of it that arrived.
    mutating func endBody(of id: RunID, _ ending: SessionResult.Ending) -> [Effect] {
        guard let item = items[id], let run = runs[item] else { return [] }
        guard let viewer = run.viewer else {
            guard case .response(let response) = ending else { return [] }
            return startBody(of: id, .data(response.body ?? Data()))
        }
        switch ending {
        case .response: break
        case .cancelled: change(id) { $0.viewer?.interruption = "cancelled: this is what had come" }
        case .failure(let message): change(id) { $0.viewer?.interruption = "\(message); this is what had come" }
        }
        return [.view(viewer.id, .readMore(isComplete: true))]
    }
}
