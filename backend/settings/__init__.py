"""Every setting, once, with its unit and default."""

from backend.settings.place_settings import ROOT as ROOT
from backend.settings.place_settings import STARTER as STARTER
from backend.settings.process_settings import Settings as Settings
from backend.settings.process_settings import settings as settings
