import OmbiWorkspace

/// A run in the row of its request.
struct RunSummary: Equatable, Sendable {
    enum Mark: Equatable, Sendable {
        case running, succeeded, failed
    }

    var mark: Mark
    var statusCode: Int?
    var duration: Duration?
    /// True for a run of an earlier session.
    var isOld = false

    /// The same of a run of an earlier session.
    var asOld: RunSummary {
        var old = self
        old.isOld = true
        return old
    }
}

extension RecentRun {
    var summary: RunSummary {
        RunSummary(mark: passed ? .succeeded : .failed, statusCode: status, duration: duration).asOld
    }
}

extension RunState {
    var summary: RunSummary {
        RunSummary(mark: mark, statusCode: receivedResponse?.statusCode, duration: report?.duration)
    }

    private var mark: RunSummary.Mark {
        switch stage {
        case .preparing, .attempting, .waiting: .running
        case .ended: failures.isEmpty ? .succeeded : .failed
        }
    }
}
