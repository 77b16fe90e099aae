/// Holds up whoever passes until it is opened, and tells when somebody came and when all have left.
public actor Gate {
    private var isOpen = false
    private var inside: [CheckedContinuation<Void, Never>] = []
    private var visitors = 0
    private var left = 0
    private var watchers: [CheckedContinuation<Void, Never>] = []

    public init() {}

    public func pass() async {
        visitors += 1
        wakeWatchers()
        if !isOpen { await withCheckedContinuation { inside.append($0) } }
        left += 1
        wakeWatchers()
    }

    public func open() {
        isOpen = true
        for visitor in inside { visitor.resume() }
        inside = []
    }

    public func waitForVisitor() async {
        while visitors == 0 { await withCheckedContinuation { watchers.append($0) } }
    }

    public func waitUntilLeft() async {
        while left < visitors { await withCheckedContinuation { watchers.append($0) } }
    }

    private func wakeWatchers() {
        for watcher in watchers { watcher.resume() }
        watchers = []
    }
}
