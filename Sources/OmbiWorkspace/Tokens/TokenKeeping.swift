/// The place of tokens for which a person has signed in, between two starts.
public enum TokenKeeping: String, Sendable, CaseIterable {
    /// A file that is sealed with a key of the keyring; memory where there is no keyring.
    case keyring
    /// A file that is sealed with a key in another file of the same folder: for machines without a keyring.
    case file
    /// Memory, until the program ends.
    case memory
}
