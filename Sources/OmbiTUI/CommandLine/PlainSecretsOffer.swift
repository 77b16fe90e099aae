import OmbiTerminal
import OmbiWorkspace

/// Offers to move the secrets that stand in collections into the local files beside them.
enum PlainSecretsOffer {
    /// Asks about each secret. Returns false where nothing was moved: without a terminal nothing is.
    static func make(to loaded: [LoadedCollection]) throws -> Bool {
        var isMoved = false
        for file in loaded {
            guard let secrets = file.plainSecrets, !secrets.found.isEmpty else { continue }
            guard file.collection?.defaultEnvironment != nil else {
                StandardError.print("\(SafeText.line(file.path)) has no environment, which a secret needs")
                continue
            }
            var chosen: [PlainSecret] = []
            for secret in secrets.found {
                let question =
                    "\(file.path):\(secret.position.line): move \(secret.kind) into the local file, and write "
                    + "{{\(secret.name)}}? [y/N] "
                guard let answer = ControllingTerminal.line(prompt: SafeText.line(question)) else { return isMoved }
                if ["y", "yes"].contains(answer.lowercased()) { chosen.append(secret) }
            }
            guard !chosen.isEmpty else { continue }
            do throws(SaveError) { try secrets.move(chosen, expecting: file.fingerprint) } catch {
                StandardError.print("ombi: \(SafeText.line(error.description))")
                throw ExitStatus.inputOutput
            }
            isMoved = true
            MovedSecrets.grant(chosen, in: file.path)
            StandardError.print("moved \(Count.of(chosen.count, "secret")) out of \(SafeText.line(file.path))")
        }
        return isMoved
    }
}
