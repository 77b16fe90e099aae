import OmbiCore
import OmbiWorkspace
