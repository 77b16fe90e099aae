import OmbiCore
import OmbiWorkspace

/// Masks literal credentials on the screen, by the names that are masked in the log. Templates are shown: they only name
/// a secret.
enum Credentials {
    static func masked(_ field: Field) -> String {
        guard RequestHeaders.Key(field.name).isSensitive, !field.value.contains("{"), !field.value.isEmpty else {
            return field.value
        }
        let scheme = field.value.split(separator: " ").first.map(String.init) ?? ""
        return scheme == field.value ? LogMask.mask : scheme + " " + LogMask.mask
    }
}
