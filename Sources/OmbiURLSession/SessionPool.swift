import Foundation
import OmbiCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The sessions of a transport, one for each combination of settings in use. They end with the transport, after its
/// last attempt.
final class SessionPool: Sendable {
    private struct Entry {
        let settings: SessionSettings
        let session: URLSession
        let delegate: SessionDelegate
    }

    /// The sessions in order of use, the last used one last.
    private let entries = Lock<[Entry]>([])
    private let adjust: @Sendable (URLSessionConfiguration) -> Void
    /// A separate queue, because the global ones may all be busy; static, because an operation queue does not retain
    /// it. Events are only forwarded on it.
    private static let delegateQueue = DispatchQueue(label: "ombi.urlsession", qos: .userInitiated)
    /// Most programs use one or two.
    private static let maximumSessions = 16

    init(adjust: @escaping @Sendable (URLSessionConfiguration) -> Void) { self.adjust = adjust }

    deinit {
        for entry in entries.withLock({ $0 }) { entry.session.finishTasksAndInvalidate() }
    }

    /// Creates a task that reports to `listener`. It is not started.
    func task(
        for request: SessionRequest, _ settings: SessionSettings, listener: @escaping SessionListener
    ) -> SessionTask {
        if let task = existing(settings, request, listener) { return task }
        // The caller's closure runs outside the lock. If two threads arrive here at once, the second session is
        // discarded.
        let made = makeEntry(settings)
        let (task, surplus) = entries.withLock { entries in
            let index = entries.firstIndex { $0.settings == settings }
            let entry = index.map { entries[$0] } ?? made
            var surplus = index == nil ? [] : [made]
            if index == nil {
                entries.append(made)
                if entries.count > Self.maximumSessions { surplus.append(entries.removeFirst()) }
            }
            return (entry.delegate.task(for: request, in: entry.session, listener: listener), surplus)
        }
        for entry in surplus { entry.session.finishTasksAndInvalidate() }
        return task
    }

    /// Runs under the lock, because a session that has been removed can create no more tasks.
    private func existing(
        _ settings: SessionSettings, _ request: SessionRequest, _ listener: @escaping SessionListener
    ) -> SessionTask? {
        entries.withLock { entries in
            guard let index = entries.lastIndex(where: { $0.settings == settings }) else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.delegate.task(for: request, in: entry.session, listener: listener)
        }
    }

    private func makeEntry(_ settings: SessionSettings) -> Entry {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = URLRequest.noTimeout
        configuration.timeoutIntervalForResource = URLRequest.noTimeout
        settings.apply(to: configuration)
        adjust(configuration)
        let queue = OperationQueue()
        queue.underlyingQueue = Self.delegateQueue
        queue.maxConcurrentOperationCount = 1
        let delegate = SessionDelegate(verifiesServer: settings.verifiesServer)
        return Entry(
            settings: settings,
            session: URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue),
            delegate: delegate)
    }
}
