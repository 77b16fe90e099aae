import OmbiTerminal
import OmbiWorkspace

extension BatchPlan {
    /// Reads the file of data. Returns the plan with its rows, or the reason why there are none.
    func readingData() -> Event {
        let path = BodyFile.expanded(dataPath ?? "")
        do {
            var plan = self
            plan.data = BatchData(try DataFile.rows(of: try PosixFileSystem().read(path), file: path))
            return .dataRead(plan)
        } catch {
            return .dataUnread(self, "\(error)")
        }
    }
}
