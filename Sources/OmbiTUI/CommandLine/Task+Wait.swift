import Dispatch
import OmbiCore

extension Task where Failure == Never {
    /// Blocks the thread until the task ends, and returns its value.
    func wait() -> Success {
        let value = Lock<Success?>(nil)
        let isThere = DispatchSemaphore(value: 0)
        Task<Void, Never> {
            let result = await self.value
            value.withLock { $0 = result }
            isThere.signal()
        }
        while true {
            isThere.wait()
            if let value = value.withLock({ $0 }) { return value }
        }
    }
}
