import OmbiTerminal
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ExampleFile {
    /// Reads the body, and says what came of it.
    func reading() -> Event {
        do throws(TemplateFileError) {
            return .exampleRead(self, Data(try example.content(beside: collection)))
        } catch {
            return .notice(Notice(.failure, "The example \(example.name) cannot be shown: \(error)"))
        }
    }
}
